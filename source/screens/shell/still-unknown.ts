import type {Failure} from '../../failure.ts';

/** What a second look at a write of unknown outcome reports, when it has shown no more than the first one. */
export const stillUnknown = ({details: {left}}: Failure): string =>
	['Still not known.', left].filter(Boolean).join(' ');
