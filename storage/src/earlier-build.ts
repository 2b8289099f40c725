// Data from before the first release: formats changed freely until then, and no build reads those of another.

/** Refused as it is: the data are whole, and the build that wrote them still reads them. */
export class EarlierBuild extends Error {
  override readonly name = 'EarlierBuild';

  /** `what` names the file or database. */
  constructor(what: string) {
    super(
      `${what} was written by an earlier build, which this one cannot read: run the build that wrote it, or set DATA_DIR (and DATABASE_URL) to an empty one`,
    );
  }
}
