// The database of a store cannot be reached or written to now: the same may go well after a pause.

export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable';
}

/** Nothing is wrong with the store but that its disk has no room. */
export class StoreFull extends StoreUnavailable {
  override readonly name = 'StoreFull';
  readonly folder: string;

  constructor(folder: string) {
    super(
      `the disk of ${folder} is full: make room there (sibyl backups shows how large backups are)`,
    );
    this.folder = folder;
  }
}
