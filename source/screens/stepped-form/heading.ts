import {counted} from '../../text/figures.ts';
import type {FormState} from './state.ts';

type HeadedRequests = {
	readonly count: number;
	readonly shows: FormState<unknown, never>['shows'];
	/** Why they cannot be sent. */
	readonly obstacle: string | undefined;
	/** What is known of the order of several. */
	readonly order: string;
};

/** What stands above requests: that they are sent exactly so, or that they are unfinished. */
export function requestsHeading({count, shows, obstacle, order}: HeadedRequests): string {
	const requests = count === 1 ? 'Request' : counted(count, 'request');
	if (obstacle !== undefined)
		return `${requests} so far${shows === 'curl' ? ', as curl' : ''}; unfinished, cannot be sent yet:`;
	if (shows === 'curl') return 'The same with curl; the credential is taken from the environment:';
	return count === 1
		? 'The request, exactly as it will be sent:'
		: `${requests}, exactly as they will be sent, ${order}:`;
}
