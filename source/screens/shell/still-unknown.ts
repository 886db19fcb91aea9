import type {Failure} from '../../failure.ts';

/** Describes a write whose outcome is still unknown after another check. */
export const describeStillUnknown = ({details: {left}}: Failure): string =>
	['Still not known.', left].filter(Boolean).join(' ');
