import type {Has, LedgeState} from '../../store/ledge-store.ts';
import {counted} from '../../text/figures.ts';
import type {App} from './app.ts';
import {entriesOf} from './screen.ts';
import type {Work, WorkElsewhere} from './work-slice.ts';

type Leaving = {readonly title: string; readonly lines: readonly string[]};

/** True for work that continues after its screen closes. */
export const isFinished = ({kind}: Pick<Work, 'kind'>): boolean => kind === 'write' || kind === 'long';

/** Describes the work of another session: "1 job in prod". */
export const elsewhereWords = ({place, labels}: WorkElsewhere): string =>
	`${counted(labels.length, 'job')} in ${place}`;

/** Quits, after a question if something would be left half done. */
export function quit({state, terminal}: App): void {
	const now = state();
	const lost = now.drafts.save();
	const unsaved = entriesOf(now.navigation.screens).flatMap(
		([, screen]) => screen.unsaved?.(now, lost) ?? [],
	);
	const lines = [
		...now.work.list.filter(isFinished).map(({label}) => `Still under way: ${label}.`),
		...now.work.elsewhere.flatMap(({place, labels}) =>
			labels.map(label => `Still under way in ${place}: ${label}.`),
		),
		...new Set(unsaved.flatMap(one => one.lines)),
		...(unsaved.some(({isDraft}) => isDraft) ? [now.drafts.whenClosed()] : []),
	];
	// // Stops what is being sent; its outcome is looked up and recorded before the process ends.
	const confirm = () =>
		void Promise.all([endOf(now), ...now.work.elsewhere.map(one => one.end())]).then(terminal.quit);
	const leaving = {title: 'Quit ledge', lines};
	if (lines.length === 0 || now.bulk.leaving) terminal.quit();
	else if (lost !== undefined) askAboutLoss(now, leaving, confirm);
	else now.dialog.open({kind: 'confirm', title: 'Quit ledge?', lines, does: 'quit', confirm});
}

/** Stops what the screens send; resolves when the outcome is recorded. */
export const endOf = (state: LedgeState): Promise<unknown> =>
	Promise.all(entriesOf(state.navigation.screens).map(([, screen]) => screen.end?.(state)));

/** Leaves the session for another one: jobs continue and input is kept. Asks only if it cannot be kept. */
export function leaveSession({state}: App, title: string, leave: () => void): void {
	const now = state();
	const lost = now.drafts.save();
	if (lost === undefined) {
		leave();
		return;
	}
	const unsaved = entriesOf(now.navigation.screens).flatMap(
		([, screen]) => screen.unsaved?.(now, lost)?.lines ?? [],
	);
	askAboutLoss(now, {title, lines: [...new Set(unsaved)]}, leave);
}

function askAboutLoss(
	{dialog: {open}}: Has<'dialog', 'open'>,
	{title, lines}: Leaving,
	confirm: () => void,
): void {
	open({
		kind: 'choice',
		title: `${title}, and lose what was typed?`,
		lines,
		choices: [
			{value: 'back', label: 'Go back'},
			{value: 'quit', label: `${title}, and lose it`},
		],
		choose(value) {
			if (value === 'quit') confirm();
		},
	});
}
