import type {LedgeState} from '../../store/ledge-store.ts';
import {actionsOf, copying} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {curlOf, refuseUnfinished, type WriteRequest} from './curl.ts';

type ReviewKeys = Pick<Action, 'id' | 'group' | 'where' | 'isHere'> & {
	/** Returns the requests under review. */
	requests(state: LedgeState): readonly WriteRequest[];
	/** Returns why they cannot be sent. */
	obstacle?(state: LedgeState): string | undefined;
	/** Switches between requests and `curl` lines. */
	toggleView(state: LedgeState): void;
};

/** Creates the actions of every review of requests: show and copy them as `curl` lines. */
export function reviewActions({
	id,
	group,
	where,
	requests,
	obstacle,
	toggleView,
	...here
}: ReviewKeys): readonly Action[] {
	const action = actionsOf(group, where);
	const curlLines = (state: LedgeState) =>
		requests(state)
			.map(request => curlOf(request, state.connection.data))
			.join('\n') || undefined;
	return [
		action(`${id}.curl`, ['r'], 'switch between the requests and curl lines', {
			...here,
			hint: 'curl',
			run: ({state}: App) => toggleView(state()),
		}),
		action(`${id}.copy-requests`, ['y'], 'copy the requests as curl lines', {
			...here,
			hint: 'copy',
			...copying(curlLines, 'there is nothing to copy here', state => refuseUnfinished(obstacle?.(state))),
		}),
	];
}
