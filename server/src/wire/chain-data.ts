// Settlement metadata of a record: JSON as the engine keeps it, an object on the wire.

export function chainDataView(json: string | null): Record<string, unknown> | null {
  // The engine takes objects alone.
  return json === null ? null : (JSON.parse(json) as Record<string, unknown>);
}
