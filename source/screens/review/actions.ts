import {getTheme} from '../../components/theme.ts';
import {toEpochSeconds} from '../../kv/limits.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {createActionFactory, withSelection} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {forwardToMenu, menuStepKeys} from '../shell/menu.ts';
import {createScrollActions} from '../shell/scrolling.ts';
import {getWriteToConfirm, listReviewChoices, type ReviewChoice} from './choices.ts';
import {buildReviewParts} from './parts.ts';

const defineReviewAction = createActionFactory('Review', ['review']);

const {marks} = getTheme('none', true);

const isWriting = ({review: {data: review}}: StateWith<'review'>): boolean => review?.phase === 'writing';

const listChoices = ({review: {data: review}}: StateWith<'review'>): readonly ReviewChoice[] =>
	review ? listReviewChoices(review, toEpochSeconds(Date.now())) : [];

const findWriteToConfirm = (state: StateWith<'review'>): ReviewChoice | undefined =>
	getWriteToConfirm(listChoices(state));

const isDeletion = ({review: {data: review}}: StateWith<'review'>): boolean =>
	review?.proposal.kind === 'delete';

const defineScrollAction = createScrollActions(
	{id: 'review', group: 'Review', where: ['review']},
	{
		getExtent: getScrollLimits,
		getTop: state => state.review.data?.top,
		scroll: (state, by, last) => state.review.scroll(by, last),
	},
);

/** Returns the maximum scroll of the difference and its visible rows. */
function getScrollLimits({
	review: {data: review},
	navigation: {viewport},
}: StateWith<'review'> & StateWith<'navigation', 'viewport'>): {lastTop: number; visibleRows: number} {
	return review ? buildReviewParts(review, viewport, Date.now(), marks) : {lastTop: 0, visibleRows: 0};
}

/** Esc: back to the difference if the request is shown, else leaves. Keeps what was typed. */
export function leaveReview({state}: App): boolean {
	const {data: review, hideRequest} = state().review;
	if (review?.request) hideRequest();
	else state().review.leave();
	return true;
}

/** Creates the action that confirms the write under review. */
function createConfirmAction(
	id: string,
	title: string,
	options: Pick<Action, 'hint' | 'isActive' | 'isDestructive'>,
): Action {
	return defineReviewAction(id, ['y'], title, {
		effect: 'writes',
		...options,
		...withSelection(findWriteToConfirm, 'nothing to confirm', confirmWrite),
	});
}

/** Confirms a write. In a low terminal, where the difference starts below, first scrolls to its end. */
function confirmWrite({state}: App, choice: ReviewChoice): void {
	const {data: review, scroll, decide} = state().review;
	const {viewport} = state().navigation;
	if (!review) return;
	const {scrolledLines, lastTop, visibleRows} = buildReviewParts(review, viewport, Date.now(), marks);
	if (scrolledLines.length > 0 && review.top < lastTop) scroll(visibleRows, lastTop);
	else void decide(choice);
}

export const reviewActions: readonly Action[] = [
	defineReviewAction('review.choose', menuStepKeys, 'move through the choices and choose one', {
		effect: 'prepares a write',
		hint: 'choose',
		isActive: state => listChoices(state).length > 0 && findWriteToConfirm(state) === undefined,
		run: forwardToMenu,
	}),
	createConfirmAction('review.write', 'write the key', {
		hint: 'write',
		isActive: state => !isDeletion(state),
	}),
	createConfirmAction('review.delete', 'delete the key', {
		hint: 'delete key',
		isActive: isDeletion,
		isDestructive: true,
	}),
	defineScrollAction(
		'down',
		['pagedown', 'ctrl-f', 'space'],
		'one page down in the difference',
		'page down',
		'more',
	),
	defineScrollAction('up', ['pageup', 'ctrl-b'], 'one page up in the difference', 'page up'),
	defineScrollAction('line-down', ['ctrl-e', 'ctrl-n'], 'one row down in the difference', 'line down'),
	defineScrollAction('line-up', ['ctrl-y', 'ctrl-p'], 'one row up in the difference', 'line up'),
	defineScrollAction('first', ['g', 'home'], 'to the first row of the difference', 'first'),
	defineScrollAction('last', ['G', 'end'], 'to the last row of the difference', 'last'),
	defineReviewAction('review.request', ['r'], 'toggle request / difference', {
		hint: 'request',
		getUnavailableReason: ({review: {data: review}}) => (review?.finding ? undefined : 'not known yet'),
		run({state}) {
			if (state().review.data?.request) state().review.hideRequest();
			else void state().review.showRequest();
		},
	}),
	defineReviewAction('review.cancel', ['ctrl-x'], 'stop the write', {
		hint: 'stop',
		getUnavailableReason: state => (isWriting(state) ? undefined : 'nothing is being written'),
		run: ({state}) =>
			state().dialog.open({
				kind: 'confirm',
				title: 'Stop the write?',
				lines: ['The service may still complete it: check again afterwards. Nothing you typed is lost.'],
				actionLabel: 'stop the write',
				confirm: () => state().review.cancelWrite(),
			}),
	}),
];
