import type {StateWith} from '../../store/ledge-store.ts';
import {getCurrentScreen} from './screen-name.ts';

/** A question before something is done. */
type Question = {
	readonly title: string;
	readonly lines?: readonly string[];
	/** The label of what is confirmed: "delete the rule". */
	readonly actionLabel: string;
};

type DialogState = StateWith<'dialog', 'open' | 'openField'>;

type LeadBackState = StateWith<'dialog', 'previous' | 'reopenPicker'> &
	StateWith<'navigation', 'screens' | 'stack'>;

/** True if esc leads from a question back to input: to an earlier question, a pick, or the form on the screen. */
export const leadsBackToInput = (state: LeadBackState): boolean =>
	state.dialog.previous.length > 0 ||
	state.dialog.reopenPicker !== undefined ||
	state.navigation.screens[getCurrentScreen(state)].textInput !== undefined;

/**
 * Asks for `y`, or for `nameToType` if given, which `confirm` receives. Callers give a name for what cannot
 * be undone or reduces protection.
 */
export function askToConfirm(
	{dialog: {open, openField}}: DialogState,
	{title, lines = [], actionLabel}: Question,
	nameToType: string | undefined,
	confirm: (typedName?: string) => void,
): void {
	if (nameToType === undefined) open({kind: 'confirm', title, lines, actionLabel, confirm: () => confirm()});
	else openField({title, lines, requiredInput: nameToType, value: '', actionLabel, submit: confirm});
}

export type ZoneQuestion = Question & {
	/** Why the name of the zone is needed, in sentences. */
	readonly reasons: readonly string[];
	/** True if the user has confirmed with `y` in a review: only a required name is still asked for. */
	readonly isReviewed?: boolean;
};

/** Asks before a write to a zone: for its name if there are reasons, otherwise for `y`. */
export function askBeforeWrite(
	state: DialogState,
	{name}: {readonly name: string},
	{reasons, isReviewed = false, lines = [], ...question}: ZoneQuestion,
	confirm: (typedName?: string) => void,
): void {
	const nameToType = reasons.length > 0 ? name : undefined;
	if (isReviewed && nameToType === undefined) confirm();
	else askToConfirm(state, {...question, lines: [...reasons, ...lines]}, nameToType, confirm);
}

/** Labels a choice that leads to a confirmation, so that it does not read as if it acted at once. */
export const labelAsking = (label: string): string => `${label} (asks first)`;
