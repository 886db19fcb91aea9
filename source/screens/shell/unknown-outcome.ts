import type {Failure} from '../../failure.ts';

/** Describes a write whose outcome another check could not determine. */
export const describeStillUnknown = ({details: {left}}: Failure): string =>
	['Still unknown.', left].filter(Boolean).join(' ');
