import {bodyRows} from '../../components/layout.ts';
import {themeOf} from '../../components/theme.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import type {Action} from '../action.ts';
import {reviewLines} from '../firewall/wizard-review.ts';
import {isAt} from './wizard-part.ts';

const {marks} = themeOf('none', true);

/** How far the review can be scrolled. */
function lastRow({wizard, connection, viewport}: LedgeState): {last: number; room: number} {
	const height = bodyRows(viewport.rows);
	const room = height - (height >= 14 ? 3 : 2);
	if (!wizard) return {last: 0, room};
	const lines = reviewLines(wizard, connection, viewport.columns, marks).length;
	return {last: Math.max(0, lines - room), room};
}

const scrolls = (
	id: string,
	keys: Action['keys'],
	title: string,
	by: (room: number) => number,
	hint?: string,
): Action => ({
	id: `wizard.${id}`,
	keys,
	title,
	...(hint !== undefined && {hint}),
	group: 'Rule wizard',
	where: ['wizard menu'],
	isHere: isAt('review'),
	unavailable: state => (lastRow(state).last > 0 ? undefined : 'all of it is in sight'),
	run({state}) {
		const {last, room} = lastRow(state());
		state().scrollWizard(by(room), last);
	},
});

/** Moving in the review of the wizard, where it is longer than the screen. */
export const wizardScrolling: readonly Action[] = [
	scrolls(
		'page-down',
		['pagedown', 'space'],
		'one page down in the review',
		room => Math.max(1, room - 1),
		'more',
	),
	scrolls('page-up', ['pageup'], 'one page up in the review', room => -Math.max(1, room - 1)),
	scrolls('line-down', ['down', 'j'], 'one row down in the review', () => 1),
	scrolls('line-up', ['up', 'k'], 'one row up in the review', () => -1),
	scrolls('first', ['g', 'home'], 'to the first row of the review', () => Number.NEGATIVE_INFINITY),
	scrolls('last', ['G', 'end'], 'to the last row of the review', () => Number.POSITIVE_INFINITY),
];
