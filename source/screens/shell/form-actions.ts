import type {Failure} from '../../failure.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {actionsOf, copying} from './action.ts';
import type {Action, App, Context} from './app.ts';
import {explaining, openHelp, suspend} from './everywhere.ts';
import {quit} from './leaving.ts';
import type {Screen} from './screen-name.ts';

/** A screen that creates something in steps; in some of them letters are text. */
type Form<Name extends Screen = Screen> = {
	readonly name: Name;
	/** Noun for it in a question. */
	readonly noun: string;
	readonly group: Action['group'];
	/** Steps in which letters are text. */
	readonly typing: readonly Context[];
	/** The other steps. */
	readonly choosing: readonly Context[];
};

export const formOf = <Name extends Screen>(
	name: Name,
	group: Action['group'],
	noun: string = name,
): Form<Name> => ({
	name,
	noun,
	group,
	typing: [name],
	choosing: [`${name} menu`],
});

type Leaving = {
	readonly noun: string;
	/** Goes one step back. Returns whether there was one. */
	back(): boolean;
	/** Returns what would be lost, if anything. */
	lost(): readonly string[] | undefined;
	leave(): void;
	/** Leaves and discards what was typed, if anything. */
	discard?(): void;
};

/** Handles esc: goes one step back, or leaves from the first step; asks if something would be lost. */
export function backOrLeave({state}: App, {noun, back, lost, leave, discard}: Leaving): void {
	if (state().messages.latest) state().messages.clear();
	if (back()) return;
	const lines = lost();
	if (!lines) leave();
	else
		state().dialog.open({
			kind: 'confirm',
			title: `Leave the ${noun}?`,
			lines: discard ? [...lines, state().drafts.whenClosed()] : lines,
			does: 'leave it',
			confirm: leave,
			...(discard && {other: {does: 'discard it', act: discard}}),
		});
}

export const copyAction = (
	{name, group, choosing}: Form,
	title: string,
	copied: (state: LedgeState) => string | undefined,
): Action =>
	actionsOf(group, choosing)(`${name}.copy`, ['y'], title, {
		hint: 'copy',
		...copying(state => copied(state) || undefined, 'there is nothing to copy here'),
	});

/** Creates an action that stops what is being sent, after a question. */
export const stopAction = (
	{name, group, choosing}: Form,
	isHere: (state: LedgeState) => boolean,
	cancel: (state: LedgeState) => void,
): Action =>
	actionsOf(group, choosing)(`${name}.stop`, ['c'], 'stop what is being sent', {
		hint: 'stop it',
		isHere,
		run: ({state}) =>
			state().dialog.open({
				kind: 'confirm',
				title: 'Stop it?',
				lines: ['What is under way may still be done. The outcome is looked up and reported.'],
				does: 'stop it',
				confirm: () => cancel(state()),
			}),
	});

/** Creates an action that explains the latest failure message, else the form's failure. */
export function detailsAction(
	{name, group, choosing}: Form,
	hint: string,
	failed: (state: LedgeState) => Failure | undefined,
): Action {
	return actionsOf(group, choosing)(`${name}.details`, ['i'], 'what happened, why, and what to do', {
		hint,
		...explaining(failed),
	});
}

/** Creates the global actions with keys that work while letters are text. */
export function alwaysActions({name, group, typing, choosing}: Form): readonly Action[] {
	const action = actionsOf(group, [...typing, ...choosing]);
	const help = 'show the keys that work here';
	const leave = 'quit; asks where something would be lost';
	return [
		action(`${name}.suspend`, ['ctrl-z'], 'suspend ledge (fg brings it back)', {run: suspend}),
		action(`${name}.quit`, ['ctrl-c'], leave, {run: quit}),
		action(`${name}.menu-quit`, ['q'], leave, {where: choosing, run: quit}),
		action(`${name}.help`, ['f1', 'ctrl-g'], help, {hint: 'help', where: typing, run: openHelp}),
		action(`${name}.menu-help`, ['?', 'f1'], help, {hint: 'help', where: choosing, run: openHelp}),
	];
}

/** Returns the failure that ended a form, if any. */
export const failureIn = (
	form: {readonly phase: {readonly name: string; readonly ending?: object}} | undefined,
): Failure | undefined => {
	const {ending} = form?.phase ?? {};
	return ending && 'failure' in ending ? (ending.failure as Failure) : undefined;
};
