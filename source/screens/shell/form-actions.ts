import type {Failure} from '../../failure.ts';
import type {Key} from '../../keyboard/key.ts';
import type {LedgeState, StateWith} from '../../store/ledge-store.ts';
import {createActionFactory} from './action.ts';
import type {Action, App, InputContext} from './app.ts';
import {openHelp, suspend, withFailureDetails} from './global-actions.ts';
import {quit} from './leaving.ts';
import type {Screen} from './screen-name.ts';

/** A screen that creates something in steps; in some steps, letters are typed as text. */
type FormScreen<Name extends Screen = Screen> = {
	readonly name: Name;
	/** Noun for it in a question. */
	readonly noun: string;
	readonly group: Action['group'];
	/** Steps where letters are text. */
	readonly typingContexts: readonly InputContext[];
	/** The other steps. */
	readonly choosingContexts: readonly InputContext[];
};

export const defineForm = <Name extends Screen>(
	name: Name,
	group: Action['group'],
	noun: string = name,
): FormScreen<Name> => ({
	name,
	noun,
	group,
	typingContexts: [name],
	choosingContexts: [`${name} menu`],
});

type LeaveOptions = {
	readonly noun: string;
	/** Goes one step back. Returns whether there was one. */
	goBack(): boolean;
	/** Returns what would be lost, if anything. */
	describeLoss(): readonly string[] | undefined;
	leave(): void;
	/** Leaves and discards what was typed, if anything. */
	readonly discard?: (() => void) | undefined;
};

/** Handles esc: goes one step back, or leaves from the first step; asks if something would be lost. */
export function goBackOrLeave(
	{state}: App,
	{noun, goBack, describeLoss, leave, discard}: LeaveOptions,
): void {
	if (state().messages.latest) state().messages.clear();
	if (goBack()) return;
	const lines = describeLoss();
	if (!lines) leave();
	else askToClose(state(), {noun, lines, leave, discard});
}

/** Asks before a form closes: for `y`, or if its input can be kept as a draft, whether to keep or discard it. */
export function askToClose(
	{
		dialog: {open},
		drafts: {saveBeforeClosing},
	}: StateWith<'dialog', 'open'> & StateWith<'drafts', 'saveBeforeClosing'>,
	{
		noun,
		lines,
		leave,
		discard,
	}: Pick<LeaveOptions, 'noun' | 'leave' | 'discard'> & {readonly lines: readonly string[]},
): void {
	const title = `Close the ${noun}?`;
	if (!discard) open({kind: 'confirm', title, lines, actionLabel: 'close', confirm: leave});
	else
		open({
			kind: 'choice',
			title,
			lines: [...lines, saveBeforeClosing()],
			choices: [
				{value: 'keep', label: 'Close, keep the draft'},
				{value: 'discard', label: 'Close and discard what you typed'},
			],
			choose: value => (value === 'discard' ? discard() : leave()),
		});
}

/**
 * Handles enter where text is typed. One inside an unmarked paste breaks the line, if the text has several;
 * otherwise one that was pasted is ignored, with a warning.
 */
export function handleTypedEnter(
	{state}: App,
	{pasted}: Key,
	confirm: () => void,
	breakLine?: () => void,
): void {
	if (pasted === undefined) confirm();
	else if (pasted === 'inside' && breakLine) breakLine();
	else
		state().messages.warn(
			'Enter was ignored because it arrived together with text, as in a paste. Press enter again.',
		);
}

/** Creates an action that asks whether to stop sending, and does. */
export const createStopAction = (
	{name, group, choosingContexts}: FormScreen,
	isActive: (state: LedgeState) => boolean,
	cancel: (state: LedgeState) => void,
): Action =>
	createActionFactory(group, choosingContexts)(`${name}.stop`, ['ctrl-x'], 'stop sending', {
		hint: 'stop',
		isActive,
		run: ({state}) =>
			state().dialog.open({
				kind: 'confirm',
				title: 'Stop sending?',
				lines: ['Requests in flight may still take effect. ledge checks and reports the outcome.'],
				actionLabel: 'stop sending',
				confirm: () => cancel(state()),
			}),
	});

/** Creates an action that explains the latest failure message, else the form's failure. */
export function createDetailsAction(
	{name, group, choosingContexts}: FormScreen,
	hint: string,
	getFailure: (state: LedgeState) => Failure | undefined,
): Action {
	return createActionFactory(group, choosingContexts)(
		`${name}.details`,
		['i'],
		'what happened, why, and what to do',
		{
			hint,
			...withFailureDetails(getFailure),
		},
	);
}

/** Creates the global actions with keys that work while letters are text. */
export function createFormActions(
	{name, group, typingContexts, choosingContexts}: FormScreen,
	quitTitle = 'quit; asks first if something would be lost',
): readonly Action[] {
	const action = createActionFactory(group, [...typingContexts, ...choosingContexts]);
	const helpTitle = 'show keyboard shortcuts';
	return [
		action(`${name}.suspend`, ['ctrl-z'], 'suspend ledge (fg brings it back)', {run: suspend}),
		action(`${name}.quit`, ['ctrl-c'], quitTitle, {run: quit}),
		action(`${name}.menu-quit`, ['q'], quitTitle, {where: choosingContexts, run: quit}),
		action(`${name}.help`, ['f1', 'ctrl-g'], helpTitle, {hint: 'help', where: typingContexts, run: openHelp}),
		action(`${name}.menu-help`, ['?', 'f1'], helpTitle, {
			hint: 'help',
			where: choosingContexts,
			run: openHelp,
		}),
	];
}

/** Returns the failure that ended a form, if any. */
export const getFormFailure = (
	form: {readonly phase: {readonly name: string; readonly ending?: object}} | undefined,
): Failure | undefined => {
	const {ending} = form?.phase ?? {};
	return ending && 'failure' in ending ? (ending.failure as Failure) : undefined;
};
