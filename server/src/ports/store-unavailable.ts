// The database of a store cannot be reached now: the same may go well after a pause.

export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}
