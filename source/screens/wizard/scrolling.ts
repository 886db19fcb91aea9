import {bodyRows} from '../../components/layout.ts';
import {themeOf} from '../../components/theme.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import type {Action} from '../shell/action.ts';
import {lineDown, lineUp, pageDown, pageUp, scrollActions, toFirst, toLast} from '../shell/scrolling.ts';
import {isAt} from './part.ts';
import {reviewLines} from './review.ts';

const {marks} = themeOf('none', true);

/** How far the review can be scrolled. */
function lastRow({wizard, connection, viewport}: LedgeState): {last: number; room: number} {
	const height = bodyRows(viewport.rows);
	const room = height - (height >= 14 ? 3 : 2);
	if (!wizard) return {last: 0, room};
	const lines = reviewLines(wizard, connection, viewport.columns, marks).length;
	return {last: Math.max(0, lines - room), room};
}

const scrolls = scrollActions(
	{id: 'wizard', group: 'Rule wizard', where: ['wizard menu'], isHere: isAt('review')},
	lastRow,
	(state, by, last) => state.scrollWizard(by, last),
);

/** Moving in the review of the wizard, where it is longer than the screen. */
export const wizardScrolling: readonly Action[] = [
	scrolls('page-down', ['pagedown', 'space'], 'one page down in the review', pageDown, 'more'),
	scrolls('page-up', ['pageup'], 'one page up in the review', pageUp),
	scrolls('line-down', ['down', 'j'], 'one row down in the review', lineDown),
	scrolls('line-up', ['up', 'k'], 'one row up in the review', lineUp),
	scrolls('first', ['g', 'home'], 'to the first row of the review', toFirst),
	scrolls('last', ['G', 'end'], 'to the last row of the review', toLast),
];
