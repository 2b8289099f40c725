export interface DestinationRecord {
    readonly destinationId: string;
    readonly userId: string;
    readonly label: string;
    /** As the custody knows it; no two of a user are the same. */
    readonly destination: string;
    readonly createdAtMs: number;
    /** No withdrawal goes there before. */
    readonly usableFromMs: number;
}
export type DestinationAddition = 'added' | 'taken' | 'too_many';
/** Every write is durable when its promise resolves. */
export interface DestinationStore {
    /** The oldest first. */
    of(userId: string): Promise<readonly DestinationRecord[]>;
    /** Refused if the user has it already, or has `max` of them. */
    add(destination: DestinationRecord, max: number): Promise<DestinationAddition>;
    /** Null if the user has no such destination. */
    remove(userId: string, destinationId: string): Promise<DestinationRecord | null>;
}
