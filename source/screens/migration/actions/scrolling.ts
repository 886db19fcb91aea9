import {bodyRows} from '../../../components/layout.ts';
import {themeOf} from '../../../components/theme.ts';
import type {Has, LedgeState} from '../../../store/ledge-store.ts';
import type {Action} from '../../shell/app.ts';
import type {Viewport} from '../../shell/navigation-slice.ts';
import {lineDown, lineUp, pageDown, pageUp, scrollActions, toFirst, toLast} from '../../shell/scrolling.ts';
import type {MigrationState} from '../state.ts';
import {scrollOf, viewOf} from '../view/parts.ts';
import {isAt, partOf} from './part.ts';

const {marks} = themeOf('none', true);

type Extent = {readonly last: number; readonly room: number};

/** Cached per migration: every key on the last line needs it. */
const extents = new WeakMap<MigrationState, Extent & {readonly viewport: Viewport}>();

function extent({
	migration: {data: migration},
	navigation: {viewport},
}: Has<'migration'> & Has<'navigation', 'viewport'>): Extent {
	if (!migration) return {last: 0, room: 1};
	const known = extents.get(migration);
	if (known?.viewport === viewport) return known;
	const found = {...scrollOf(viewOf(migration, viewport, marks, Date.now())), viewport};
	extents.set(migration, found);
	return found;
}

const scroll = (
	state: Has<'migration', 'data' | 'scroll'> & Has<'navigation', 'viewport'>,
	by: number,
	last: number,
) => state.migration.scroll(by, last, pageDown(extent(state).room));

const choosing = ['migration menu'] as const;
const common = {group: 'Migration', where: choosing} as const;

/** Steps with a list, which scrolls with its cursor. */
const isList = isAt('blockers', 'edit');
const isReview = isAt('review');
/** All other steps: a text, with choices below it if something is asked. */
const isText = (state: Has<'migration'>): boolean => !isList(state) && !isReview(state);

/** True if the rest of the review was not on screen yet; until then it cannot be confirmed. */
export function isUnread(state: Has<'migration'> & Has<'navigation', 'viewport'>): boolean {
	const migration = state.migration.data;
	return isReview(state) && migration !== undefined && migration.seen[migration.view] < extent(state).last;
}

/** Enter until the whole review was on screen. */
export const readOn: Action = {
	...common,
	id: 'migration.read-on',
	keys: ['enter'],
	title: 'on in what is reviewed: it counts as reviewed when all of it was in sight',
	hint: 'read on',
	isHere: isUnread,
	run({state}) {
		const {last, room} = extent(state());
		const migration = state().migration.data;
		if (!migration) return;
		// Continues from the furthest row read, even after scrolling back.
		const {seen, view, top} = migration;
		scroll(state(), seen[view] - top + pageDown(room), last);
	},
};

const move = (
	id: string,
	keys: Action['keys'],
	title: string,
	isHere: Action['isHere'],
	by: (state: LedgeState) => number,
): Action => ({
	...common,
	id: `migration.${id}`,
	keys,
	title,
	isMove: true,
	...(isHere && {isHere}),
	run: ({state}) => state().migration.move(by(state())),
});

const hasCursor = (state: Has<'migration'>): boolean => !isReview(state) && partOf(state) !== 'waiting';
const page = ({navigation: {viewport}}: Has<'navigation', 'viewport'>): number =>
	Math.max(1, bodyRows(viewport.rows) - 4);

const byText = scrollActions({...common, id: 'migration.text', isHere: isText}, extent, scroll);
const byReview = scrollActions({...common, id: 'migration', isHere: isReview}, extent, scroll);
const byAside = scrollActions({...common, id: 'migration.aside', isHere: isAt('edit')}, extent, scroll);
const byTyping = scrollActions(
	{group: 'Migration', where: ['migration'], id: 'migration.confirming'},
	extent,
	scroll,
);

/** Keys that move in the list of a step and scroll its text. */
export const migrationScrolling: readonly Action[] = [
	move('down', ['down', 'j'], 'one row down', hasCursor, () => 1),
	move('up', ['up', 'k'], 'one row up', hasCursor, () => -1),
	move('list-page-down', ['pagedown', 'ctrl-f'], 'one page down in the list', isList, page),
	move('list-page-up', ['pageup', 'ctrl-b'], 'one page up in the list', isList, state => -page(state)),
	move('list-first', ['g', 'home'], 'to the first row of the list', isList, () => Number.NEGATIVE_INFINITY),
	move('list-last', ['G', 'end'], 'to the last row of the list', isList, () => Number.POSITIVE_INFINITY),
	byAside('down', ['ctrl-d'], 'scroll the details down', lineDown, 'more'),
	byAside('up', ['ctrl-u'], 'scroll the details up', lineUp),
	byText('page-down', ['space', 'pagedown', 'ctrl-f'], 'one page down in the text', pageDown, 'more'),
	byText('page-up', ['pageup', 'ctrl-b'], 'one page up in the text', pageUp),
	byText('first', ['g', 'home'], 'to the first row of the text', toFirst),
	byText('last', ['G', 'end'], 'to the last row of the text', toLast),
	byReview('page-down', ['space', 'pagedown', 'ctrl-f'], 'one page down', pageDown),
	byReview('page-up', ['pageup', 'ctrl-b'], 'one page up', pageUp),
	byReview('line-down', ['down'], 'one row down', lineDown, 'read'),
	byReview('line-up', ['up', 'k'], 'one row up', lineUp),
	byReview('first', ['g', 'home'], 'to the first row', toFirst),
	byReview('last', ['G', 'end'], 'to the last row', toLast),
	byTyping('page-down', ['pagedown'], 'one page down', pageDown, 'more'),
	byTyping('page-up', ['pageup'], 'one page up', pageUp),
];
