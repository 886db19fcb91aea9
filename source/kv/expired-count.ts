import {formatInteger} from '../text/figures.ts';

/** Formats how many keys are not written because the service refuses expirations within a minute. */
export const formatExpiredCount = (count: number): string =>
	`${formatInteger(count)} expired or expiring within a minute`;
