import type {LedgeState, StateWith} from '../../store/ledge-store.ts';
import {formatQuantity} from '../../text/figures.ts';
import type {App} from './app.ts';
import {listScreens} from './screen.ts';
import {withTimeout} from './with-timeout.ts';
import {listStoppableWrites, type Work, type WorkElsewhere} from './work-slice.ts';

/** Maximum milliseconds that quitting waits for the write under way. */
const maxStopMs = 10_000;

type LeaveQuestion = {readonly title: string; readonly lines: readonly string[]};

/** True for work that continues after its screen closes. */
export const outlivesScreen = ({kind}: Pick<Work, 'kind'>): boolean => kind === 'write' || kind === 'long';

/** Describes the work of another session: "1 job in prod". */
export const describeWorkElsewhere = ({sessionName, labels}: WorkElsewhere): string =>
	`${formatQuantity(labels.length, 'job')} in ${sessionName}`;

const listUndoable = (state: LedgeState) =>
	listScreens(state.navigation.screens)
		.flatMap(([, screen]) => screen.listUndoable?.(state) ?? [])
		.map(({count, subject, command}) => ({
			text: `${formatQuantity(count, 'change')} to ${subject}`,
			command,
		}));

/** Says what only this session can undo, and which commands show earlier versions. */
export const describeUndoEnd = (state: LedgeState): readonly string[] =>
	listUndoable(state).map(
		({text, command}) =>
			`The undo of ${text} ends with this session.${command === undefined ? '' : ` Earlier versions: ${command}`}`,
	);

/** Names what a session could undo: "1 change to the firewall rules of shop.example". */
export const listUndoableTexts = (state: LedgeState): readonly string[] =>
	listUndoable(state).map(({text}) => text);

/** Quits, after a question if something would be left half done. */
export function quit({state, terminal}: App): void {
	const currentState = state();
	const draftFailure = currentState.drafts.save();
	const unsavedInputs = listScreens(currentState.navigation.screens).flatMap(
		([, screen]) => screen.getUnsaved?.(currentState, draftFailure) ?? [],
	);
	const isStopping = listStoppableWrites(currentState).length > 0;
	const lines = [
		...currentState.work.list.filter(outlivesScreen).map(({label}) => `Still running: ${label}.`),
		...(isStopping
			? [
					'Quitting stops it after the one under way. What is done stays done; its undo ends with this session.',
				]
			: []),
		...currentState.work.elsewhere.flatMap(({sessionName, labels}) =>
			labels.map(label => `Still running in ${sessionName}: ${label}.`),
		),
		...new Set(unsavedInputs.flatMap(one => one.lines)),
		...(unsavedInputs.some(({isDraft}) => isDraft) ? [currentState.drafts.saveBeforeClosing()] : []),
	];
	// No reason to ask by itself: it is also printed when ledge ends.
	const question = {title: 'Quit ledge', lines: [...lines, ...describeUndoEnd(currentState)]};
	// Stops what is being sent; its outcome is looked up and recorded before the process ends.
	const confirm = () => {
		if (isStopping) state().work.startQuitting();
		void Promise.all([stopSending(state()), ...currentState.work.elsewhere.map(one => one.end())]).then(
			terminal.quit,
		);
	};
	if (lines.length === 0 || currentState.bulk.isQuitting) terminal.quit();
	else if (draftFailure !== undefined) askAboutLoss(currentState, question, confirm);
	else
		currentState.dialog.open({
			kind: 'confirm',
			...question,
			title: 'Quit ledge?',
			actionLabel: 'quit',
			confirm,
		});
}

/** Stops what the screens send; resolves when the outcome is recorded. */
export const stopSending = (state: LedgeState): Promise<unknown> =>
	Promise.all([
		...listScreens(state.navigation.screens).map(([, screen]) => screen.end?.(state)),
		...listStoppableWrites(state).map(({stop}) => withTimeout(maxStopMs, stop())),
	]);

/** Leaves the session for another one: jobs continue and input is kept. Asks only if it cannot be kept. */
export function leaveSession({state}: App, title: string, leave: () => void): void {
	const currentState = state();
	const draftFailure = currentState.drafts.save();
	if (draftFailure === undefined) {
		leave();
		return;
	}
	const unsavedLines = listScreens(currentState.navigation.screens).flatMap(
		([, screen]) => screen.getUnsaved?.(currentState, draftFailure)?.lines ?? [],
	);
	askAboutLoss(currentState, {title, lines: [...new Set(unsavedLines)]}, leave);
}

function askAboutLoss(
	{dialog: {open}}: StateWith<'dialog', 'open'>,
	{title, lines}: LeaveQuestion,
	confirm: () => void,
): void {
	open({
		kind: 'confirm',
		title: `${title} and lose what you typed?`,
		lines,
		actionLabel: `${title.charAt(0).toLowerCase()}${title.slice(1)} and lose it`,
		confirm,
	});
}
