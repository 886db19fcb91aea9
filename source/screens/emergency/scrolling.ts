import {bodyRows} from '../../components/layout.ts';
import {themeOf} from '../../components/theme.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import type {Action} from '../shell/action.ts';
import {lineDown, lineUp, pageDown, pageUp, scrollActions, toFirst, toLast} from '../shell/scrolling.ts';
import {emergencyLayout} from './layout.ts';
import {emergencyLines, toRequestEnd} from './lines.ts';
import {isAt} from './part.ts';

const {marks} = themeOf('none', true);

/** How far what is below can be scrolled, and how far it has to be until the request was in sight. */
function scrolling(state: LedgeState): {last: number; room: number; request: number} {
	const {emergency, viewport} = state;
	if (!emergency) return {last: 0, room: 1, request: 0};
	const room = emergencyLayout(emergency, viewport.columns, bodyRows(viewport.rows)).below;
	const lines = emergencyLines(emergency, state, marks);
	return {last: Math.max(0, lines.length - room), room, request: toRequestEnd(lines, room)};
}

/** Whether there is more of the request than was in sight: it is not sent before. */
export const isUnseen = (state: LedgeState): boolean =>
	isAt('send')(state) && (state.emergency?.seen ?? 0) < scrolling(state).request;

const scrolls = scrollActions(
	{id: 'emergency', group: 'Emergency', where: ['emergency menu'], isHere: isAt('send')},
	scrolling,
	(state, by, last) => state.scrollEmergency(by, last),
);

/** Enter, until all of the request was in sight. */
export const readOn: Action = {
	id: 'emergency.read-on',
	keys: ['enter'],
	title: 'on in the request: it can be sent when all of it was in sight',
	hint: 'read on',
	group: 'Emergency',
	where: ['emergency menu'],
	isHere: isUnseen,
	run({state}) {
		const {last, room} = scrolling(state());
		state().scrollEmergency(Math.max(1, room - 1), last);
	},
};

/** The keys that scroll what is about to be sent. */
export const emergencyScrolling: readonly Action[] = [
	scrolls('page-down', ['space', 'pagedown'], 'one page down', pageDown, 'more'),
	scrolls('page-up', ['pageup'], 'one page up', pageUp),
	scrolls('line-down', ['down', 'j'], 'one row down', lineDown),
	scrolls('line-up', ['up', 'k'], 'one row up', lineUp),
	scrolls('first', ['g', 'home'], 'to the first row', toFirst),
	scrolls('last', ['G', 'end'], 'to the last row', toLast),
];
