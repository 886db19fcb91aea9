import type {LedgeState} from '../../store/ledge-store.ts';
import {createActionFactory, getReadOnlyReason, withClipboardCopy, withSelection} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {formatCurlCommand, getRequestCopyBlockedReason, type WriteRequest} from './curl.ts';
import type {CheckableChange} from './verdict-slice.ts';

type RequestReview = Pick<Action, 'id' | 'group' | 'where' | 'isActive'> & {
	/** Returns the requests under review. */
	listRequests(state: LedgeState): readonly WriteRequest[];
	/** Returns why they cannot be sent. */
	getObstacle?(state: LedgeState): string | undefined;
	/** Switches between requests and `curl` lines. */
	toggleView(app: App): void;
	/** Returns the change, if the service can check it. */
	findCheckableChange?(state: LedgeState): CheckableChange | undefined;
};

/** Creates the actions of every review of requests: show and copy them as `curl` lines. */
export function createRequestActions({
	id,
	group,
	where,
	listRequests,
	getObstacle,
	toggleView,
	findCheckableChange,
	...common
}: RequestReview): readonly Action[] {
	const buildAction = createActionFactory(group, where);
	const formatCurlLines = (state: LedgeState) =>
		listRequests(state)
			.map(request => formatCurlCommand(request, state.connection.data))
			.join('\n') || undefined;
	return [
		buildAction(`${id}.curl`, ['r'], 'toggle requests / curl', {
			...common,
			hint: 'curl/request',
			run: toggleView,
		}),
		buildAction(`${id}.copy-requests`, ['Y'], 'copy the requests as curl', {
			...common,
			hint: 'copy',
			...withClipboardCopy(formatCurlLines, 'nothing to copy', state =>
				getRequestCopyBlockedReason(getObstacle?.(state)),
			),
		}),
		...(findCheckableChange
			? [
					buildAction(
						`${id}.ask-service`,
						['v'],
						'ask the service whether it accepts this, without sending it',
						{
							...common,
							hint: 'check (dry run)',
							searchTerms: ['dry run', 'validate', 'try without sending'],
							...withSelection(
								findCheckableChange,
								'nothing that the service can check',
								({state}, change) => state().verdict.ask(change),
								state => getObstacle?.(state) ?? getReadOnlyReason(state),
							),
						},
					),
				]
			: []),
	];
}
