// The database of a store cannot be reached or written to now: the same may go well after a pause.

export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable';
}

/** Writes to the store are refused until an operator acts; reads go on. */
export abstract class StoreUnwritable extends StoreUnavailable {
  abstract readonly reason: 'disk_full' | 'disk_failed';
  readonly folder: string;

  constructor(folder: string, message: string) {
    super(message);
    this.folder = folder;
  }
}

/** Nothing is wrong with the store but that its disk has no room. */
export class StoreFull extends StoreUnwritable {
  override readonly name = 'StoreFull';
  readonly reason = 'disk_full';

  constructor(folder: string) {
    super(
      folder,
      `the disk of ${folder} is full: make room there (sibyl backups shows how large backups are)`,
    );
  }
}

/** An I/O error: what of the last write is on the disk is unknown, so this process writes the file no more. */
export class StoreFailed extends StoreUnwritable {
  override readonly name = 'StoreFailed';
  readonly reason = 'disk_failed';

  constructor(folder: string, file: string, cause: string) {
    super(
      folder,
      `${file} in ${folder} cannot be written after an I/O error (${cause}): check the disk, then restart the server`,
    );
  }
}
