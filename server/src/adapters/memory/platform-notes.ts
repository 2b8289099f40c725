// The small records of the platform store in memory: settings, lost connections and incidents.
import type { DisconnectCancelRecord, PlatformStore } from '../../ports/platform.ts';
import type { IncidentRecord } from '../../ports/status.ts';

type Notes = Pick<
  PlatformStore,
  | 'setting'
  | 'putSetting'
  | 'putDisconnectCancel'
  | 'dropDisconnectCancel'
  | 'disconnectCancels'
  | 'putIncident'
  | 'incidents'
>;

export class MemoryPlatformNotes implements Notes {
  readonly #settings = new Map<string, string>();
  readonly #disconnectCancels = new Map<string, DisconnectCancelRecord>();
  readonly #incidents = new Map<string, IncidentRecord>();

  async setting(name: string): Promise<string | null> {
    return this.#settings.get(name) ?? null;
  }

  async putSetting(name: string, value: string): Promise<void> {
    this.#settings.set(name, value);
  }

  async putDisconnectCancel(entry: DisconnectCancelRecord): Promise<void> {
    this.#disconnectCancels.set(`${entry.lane} ${entry.credential}`, Object.freeze({ ...entry }));
  }

  async dropDisconnectCancel(
    lane: DisconnectCancelRecord['lane'],
    credential: string,
  ): Promise<void> {
    this.#disconnectCancels.delete(`${lane} ${credential}`);
  }

  async disconnectCancels(): Promise<readonly DisconnectCancelRecord[]> {
    const sorted = [...this.#disconnectCancels.keys()].sort();
    return sorted.map((key) => this.#disconnectCancels.get(key)!);
  }

  async putIncident(incident: IncidentRecord): Promise<void> {
    this.#incidents.set(incident.incidentId, Object.freeze({ ...incident }));
  }

  async incidents(sinceMs: number): Promise<readonly IncidentRecord[]> {
    return [...this.#incidents.values()]
      .filter(({ toMs }) => toMs === null || toMs >= sinceMs)
      .sort((one, other) => one.fromMs - other.fromMs);
  }
}
