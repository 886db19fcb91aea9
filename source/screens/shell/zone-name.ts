import type {StateWith} from '../../store/ledge-store.ts';

type NamedZone = {readonly name: string};

export type ZoneNameQuestion = {
	readonly title?: string;
	/** Why the name is needed, in sentences. */
	readonly reasons: readonly string[];
	/** What else to know before the write. */
	readonly lines?: readonly string[];
	/** The label of the write: "restore it". */
	readonly actionLabel: string;
};

/** Asks for the name of a zone before a write; `confirm` is called with it. */
export function askForZoneName(
	{dialog: {openField}}: StateWith<'dialog', 'openField'>,
	{name}: NamedZone,
	{title = `Confirm this change to ${name}`, reasons, lines = [], actionLabel}: ZoneNameQuestion,
	confirm: (name: string) => void,
): void {
	openField({
		title,
		lines: [...reasons, ...lines],
		requiredInput: name,
		value: '',
		actionLabel,
		submit: confirm,
	});
}

/**
 * Asks before a write: for the zone's name if there are reasons, else for a yes. Without a title it does not
 * ask: the current screen was the question.
 */
export function askBeforeWrite(
	state: StateWith<'dialog', 'open' | 'openField'>,
	zone: NamedZone,
	{title, ...question}: ZoneNameQuestion,
	confirm: (name?: string) => void,
): void {
	const {reasons, lines = [], actionLabel} = question;
	if (reasons.length > 0) askForZoneName(state, zone, question, confirm);
	else if (title === undefined) confirm();
	else state.dialog.open({kind: 'confirm', title, lines, actionLabel, confirm: () => confirm()});
}
