import type {Failure} from '../../failure.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import type {Action, App, Context} from './action.ts';
import {quit} from './leaving.ts';
import type {Screen} from './screen.ts';

/** A screen that makes something in steps, in some of which letters are text. */
export type Form = {
	readonly name: Screen;
	readonly group: Action['group'];
	/** The steps where letters are text. */
	readonly typing: readonly Context[];
	/** The others. */
	readonly choosing: readonly Context[];
};

/** What leaving a form is about. */
type Leaving = {
	readonly name: Form['name'];
	/** One step back. Returns whether there was one. */
	back(): boolean;
	/** What would be lost; nothing where nothing would be. */
	lost(): readonly string[] | undefined;
	leave(): void;
	/** Leaves, and discards what was typed, where something was. */
	discard?(): void;
};

/** Esc: one step back; from the first one out, at once where nothing would be lost. */
export function backOrLeave({state}: App, {name, back, lost, leave, discard}: Leaving): void {
	if (state().message) state().clearMessage();
	if (back()) return;
	const lines = lost();
	if (!lines) leave();
	else
		state().open({
			kind: 'confirm',
			title: `Leave the ${name}?`,
			lines: discard ? [...lines, state().whenClosed()] : lines,
			does: 'leave it',
			confirm: leave,
			...(discard && {other: {does: 'discard it', act: discard}}),
		});
}

/** Puts on the clipboard what `copied` returns. */
export const copyAction = (
	{name, group, choosing}: Form,
	title: string,
	copied: (state: LedgeState) => string | undefined,
): Action => ({
	id: `${name}.copy`,
	keys: ['y'],
	title,
	hint: 'copy',
	group,
	where: choosing,
	unavailable: state => (copied(state) ? undefined : 'there is nothing to copy here'),
	run({state, terminal}) {
		const text = copied(state());
		if (text) state().say(terminal.copy(text));
	},
});

/** Asks, and stops what is being sent. */
export const stopAction = (
	{name, group, choosing}: Form,
	isHere: (state: LedgeState) => boolean,
	cancel: (state: LedgeState) => void,
): Action => ({
	id: `${name}.stop`,
	keys: ['c'],
	title: 'stop what is being sent',
	hint: 'stop it',
	group,
	where: choosing,
	isHere,
	run: ({state}) =>
		state().open({
			kind: 'confirm',
			title: 'Stop it?',
			lines: ['What is under way may still be done. The outcome is looked up and reported.'],
			does: 'stop it',
			confirm: () => cancel(state()),
		}),
});

/** Explains the failure of the message, which came later, or that of the form. */
export function detailsAction(
	{name, group, choosing}: Form,
	hint: string,
	failed: (state: LedgeState) => Failure | undefined,
): Action {
	const failureOf = (state: LedgeState) =>
		state.message?.kind === 'failed' ? state.message.failure : failed(state);
	return {
		id: `${name}.details`,
		keys: ['i'],
		title: 'what happened, why, and what to do',
		hint,
		group,
		where: choosing,
		unavailable: state => (failureOf(state) ? undefined : 'nothing has failed'),
		run({state}) {
			const failure = failureOf(state());
			if (failure) state().open({kind: 'failure', failure});
		},
	};
}

/** What works everywhere else under a letter has keys of its own where letters are text. */
export function alwaysActions({name, group, typing, choosing}: Form): readonly Action[] {
	const both = [...typing, ...choosing];
	const quitting = {title: 'quit; asks where something would be lost', group, run: quit};
	const helping = {
		title: 'show the keys that work here',
		hint: 'help',
		group,
		run: ({state}: App) => state().open({kind: 'help', query: '', top: 0}),
	};
	return [
		{
			id: `${name}.suspend`,
			keys: ['ctrl-z'],
			title: 'suspend ledge (fg brings it back)',
			group,
			where: both,
			run: ({terminal}) => terminal.suspend(),
		},
		{...quitting, id: `${name}.quit`, keys: ['ctrl-c'], where: both},
		{...quitting, id: `${name}.menu-quit`, keys: ['q'], where: choosing},
		{...helping, id: `${name}.help`, keys: ['f1', 'ctrl-g'], where: typing},
		{...helping, id: `${name}.menu-help`, keys: ['?', 'f1'], where: choosing},
	];
}

/** Why a form has ended as it did. */
export const failureIn = (
	form: {readonly phase: {readonly name: string; readonly ending?: object}} | undefined,
): Failure | undefined => {
	const {ending} = form?.phase ?? {};
	return ending && 'failure' in ending ? (ending.failure as Failure) : undefined;
};
