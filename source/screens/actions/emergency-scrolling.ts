import {bodyRows} from '../../components/layout.ts';
import {themeOf} from '../../components/theme.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import type {Action} from '../action.ts';
import {emergencyLayout} from '../firewall/emergency-layout.ts';
import {emergencyLines, toRequestEnd} from '../firewall/emergency-lines.ts';
import {isAt} from './emergency-part.ts';

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

const scrolls = (
	id: string,
	keys: Action['keys'],
	title: string,
	by: (room: number) => number,
	hint?: string,
): Action => ({
	id: `emergency.${id}`,
	keys,
	title,
	...(hint !== undefined && {hint}),
	group: 'Emergency',
	where: ['emergency menu'],
	isHere: isAt('send'),
	unavailable: state => (scrolling(state).last > 0 ? undefined : 'all of it is in sight'),
	run({state}) {
		const {last, room} = scrolling(state());
		state().scrollEmergency(by(room), last);
	},
});

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
	scrolls('page-down', ['space', 'pagedown'], 'one page down', room => Math.max(1, room - 1), 'more'),
	scrolls('page-up', ['pageup'], 'one page up', room => -Math.max(1, room - 1)),
	scrolls('line-down', ['down', 'j'], 'one row down', () => 1),
	scrolls('line-up', ['up', 'k'], 'one row up', () => -1),
	scrolls('first', ['g', 'home'], 'to the first row', () => Number.NEGATIVE_INFINITY),
	scrolls('last', ['G', 'end'], 'to the last row', () => Number.POSITIVE_INFINITY),
];
