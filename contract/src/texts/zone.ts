// The time zone in which dates and times of a text are written.

export interface Zone {
  /** Absent for the zone of the machine, which in a browser is the reader's. */
  readonly timeZone?: string;
  /** Follows a time of day, so that a reader elsewhere is not misled. */
  readonly mark?: string;
}

export const HERE: Zone = {};

/** For a reader whose zone is unknown, such as the preview of a link. */
export const UTC: Zone = { timeZone: 'UTC', mark: ' UTC' };
