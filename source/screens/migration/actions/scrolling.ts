import {getBodyRows} from '../../../components/layout.ts';
import {getTheme} from '../../../components/theme.ts';
import {countProposedSettings, getReviewSections} from '../../../migration/plan/review-sections.ts';
import type {LedgeState, StateWith} from '../../../store/ledge-store.ts';
import {createActionFactory} from '../../shell/action.ts';
import type {Action} from '../../shell/app.ts';
import type {Viewport} from '../../shell/navigation-slice.ts';
import {countTextPageRows, createScrollActions} from '../../shell/scrolling.ts';
import type {MigrationState} from '../state.ts';
import {buildMigrationView, measureScrollRange} from '../view/layout.ts';
import {getMigrationPart, isAtMigrationStep} from './part.ts';

const {marks} = getTheme('none', true);

type ScrollExtent = {readonly lastTop: number; readonly visibleRows: number};

/** Cached by migration, because every key on the last line needs it. */
const extentCache = new WeakMap<MigrationState, ScrollExtent & {readonly viewport: Viewport}>();

function measureMigrationScroll({
	migration: {data: migration},
	navigation: {viewport},
}: StateWith<'migration'> & StateWith<'navigation', 'viewport'>): ScrollExtent {
	if (!migration) return {lastTop: 0, visibleRows: 1};
	const cachedExtent = extentCache.get(migration);
	if (cachedExtent?.viewport === viewport) return cachedExtent;
	const extent = {
		...measureScrollRange(buildMigrationView(migration, viewport, marks, Date.now())),
		viewport,
	};
	extentCache.set(migration, extent);
	return extent;
}

const scrollBy = (
	state: StateWith<'migration', 'data' | 'scroll'> & StateWith<'navigation', 'viewport'>,
	distance: number,
	lastTop: number,
) => state.migration.scroll(distance, lastTop, countTextPageRows(measureMigrationScroll(state).visibleRows));

const group = 'Migration';
const where: Action['where'] = ['migration menu'];
const defineMenuAction = createActionFactory(group, where);

/** Steps with a list, which scrolls with its cursor. */
const isListStep = isAtMigrationStep('blockers', 'edit');
const isReviewStep = isAtMigrationStep('review');
/** True for all other steps: they show a text, with choices below it if the user is asked something. */
const isTextStep = (state: StateWith<'migration'>): boolean => !isListStep(state) && !isReviewStep(state);

/** True if parts of the review were not on screen yet; until then it cannot be confirmed. */
export function hasUnreadRows(state: StateWith<'migration'> & StateWith<'navigation', 'viewport'>): boolean {
	const migration = state.migration.data;
	return (
		isReviewStep(state) &&
		migration !== undefined &&
		migration.furthestTops[migration.view] < measureMigrationScroll(state).lastTop
	);
}

/** True if the review is not at the furthest row that was read, but skipped rows or scrolled back. */
const isAwayFromReading = ({migration: {data: migration}}: StateWith<'migration'>): boolean =>
	migration !== undefined && migration.top !== migration.furthestTops[migration.view];

const buildReadAction = (id: string, title: string, hint: string, isAway: boolean): Action =>
	defineMenuAction(`migration.${id}`, ['enter'], title, {
		hint,
		isActive: state => hasUnreadRows(state) && isAwayFromReading(state) === isAway,
		run({state}) {
			const {lastTop, visibleRows} = measureMigrationScroll(state());
			const migration = state().migration.data;
			if (!migration) return;
			const {furthestTops, view, top} = migration;
			scrollBy(state(), furthestTops[view] - top + countTextPageRows(visibleRows), lastTop);
		},
	});

/** The actions of Enter until the whole review was on screen: both show the page after the last one read. */
export const readActions: readonly Action[] = [
	buildReadAction(
		'read-on',
		'scroll the review; it can be confirmed once all its rows were on screen',
		'read on',
		false,
	),
	buildReadAction(
		'read-skipped',
		'go to the part of the review that was not on screen yet',
		'go to unread part',
		true,
	),
];

const countProposed = ({migration: {data: migration}}: StateWith<'migration'>): number =>
	migration?.plan ? countProposedSettings(getReviewSections(migration.plan, migration.snapshot)) : 0;

const buildProposedAction = (id: string, showsProposed: boolean, title: string, hint: string): Action =>
	defineMenuAction(`migration.${id}`, ['z'], title, {
		hint,
		searchTerms: ['show all', 'unchanged', 'expand', 'unfold', 'fold'],
		isActive: state =>
			isReviewStep(state) &&
			state.migration.data?.view === 'comparison' &&
			state.migration.data.showsProposed === showsProposed,
		getUnavailableReason: state => (countProposed(state) > 0 ? undefined : 'nothing is hidden'),
		run({state}) {
			state().migration.toggleProposed();
			// Scrolls back if the rows that are hidden now were on screen.
			scrollBy(state(), 0, measureMigrationScroll(state()).lastTop);
		},
	});

/** The actions that list or hide what is as the service proposes, below the rest of the review. */
export const proposedActions: readonly Action[] = [
	buildProposedAction(
		'proposed',
		false,
		'show the settings exactly as the service proposes',
		'show unchanged',
	),
	buildProposedAction(
		'hide-proposed',
		true,
		'hide the settings exactly as the service proposes',
		'hide unchanged',
	),
];

const buildMoveAction = (
	id: string,
	keys: Action['keys'],
	title: string,
	isActive: NonNullable<Action['isActive']>,
	getDistance: (state: LedgeState) => number,
): Action =>
	defineMenuAction(`migration.${id}`, keys, title, {
		isMove: true,
		isActive,
		run: ({state}) => state().migration.move(getDistance(state())),
	});

const hasCursor = (state: StateWith<'migration'>): boolean =>
	!isReviewStep(state) && getMigrationPart(state) !== 'waiting';
const getListRows = ({navigation: {viewport}}: StateWith<'navigation', 'viewport'>): number =>
	Math.max(1, getBodyRows(viewport.rows) - 4);

const scrolling: Parameters<typeof createScrollActions>[1] = {
	getExtent: measureMigrationScroll,
	getTop: ({migration: {data: migration}}) => migration?.top,
	scroll: scrollBy,
};
const buildTextAction = createScrollActions(
	{group, where, id: 'migration.text', isActive: isTextStep},
	scrolling,
);
const buildReviewAction = createScrollActions(
	{group, where, id: 'migration', isActive: isReviewStep},
	scrolling,
);
const buildAsideAction = createScrollActions(
	{group, where, id: 'migration.aside', isActive: isAtMigrationStep('edit')},
	scrolling,
);
const buildTypingAction = createScrollActions(
	{group, where: ['migration'], id: 'migration.confirming'},
	scrolling,
);

/** Keys that move in the list of a step and scroll its text. */
export const migrationScrollActions: readonly Action[] = [
	buildMoveAction('down', ['down', 'j'], 'one row down', hasCursor, () => 1),
	buildMoveAction('up', ['up', 'k'], 'one row up', hasCursor, () => -1),
	buildMoveAction(
		'list-page-down',
		['pagedown', 'ctrl-f'],
		'one page down in the list',
		isListStep,
		getListRows,
	),
	buildMoveAction(
		'list-page-up',
		['pageup', 'ctrl-b'],
		'one page up in the list',
		isListStep,
		state => -getListRows(state),
	),
	buildMoveAction(
		'list-first',
		['g', 'home'],
		'to the first row of the list',
		isListStep,
		() => Number.NEGATIVE_INFINITY,
	),
	buildMoveAction(
		'list-last',
		['G', 'end'],
		'to the last row of the list',
		isListStep,
		() => Number.POSITIVE_INFINITY,
	),
	buildAsideAction('down', ['ctrl-d'], 'scroll the details down', 'line down', 'more'),
	buildAsideAction('up', ['ctrl-u'], 'scroll the details up', 'line up'),
	buildTextAction(
		'page-down',
		['space', 'pagedown', 'ctrl-f'],
		'one page down in the text',
		'page down',
		'more',
	),
	buildTextAction('page-up', ['pageup', 'ctrl-b'], 'one page up in the text', 'page up'),
	buildTextAction('first', ['g', 'home'], 'to the first row of the text', 'first'),
	buildTextAction('last', ['G', 'end'], 'to the last row of the text', 'last'),
	buildReviewAction('page-down', ['space', 'pagedown', 'ctrl-f'], 'one page down', 'page down'),
	buildReviewAction('page-up', ['pageup', 'ctrl-b'], 'one page up', 'page up'),
	buildReviewAction('line-down', ['down', 'j'], 'one row down', 'line down', 'read'),
	buildReviewAction('line-up', ['up', 'k'], 'one row up', 'line up'),
	buildReviewAction('first', ['g', 'home'], 'to the first row', 'first'),
	buildReviewAction('last', ['G', 'end'], 'to the last row', 'last'),
	buildTypingAction('page-down', ['pagedown'], 'one page down', 'page down', 'more'),
	buildTypingAction('page-up', ['pageup'], 'one page up', 'page up'),
];
