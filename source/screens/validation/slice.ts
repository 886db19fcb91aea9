import type {ExceptionDraft} from '../../migration/configuration/exceptions.ts';
import {buildCandidateException} from '../../migration/validation/candidates.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import type {Slice} from '../../store/slice.ts';
import {moveCursor} from '../list/list.ts';
import {getValidationRowKey, listValidationRows, type ValidationRow} from './rows.ts';

/** The position in the comparison. The data itself is part of the migration. */
type ValidationState = {
	readonly cursor: number;
	/** Key of the selected row. It keeps the cursor on that row when the figures are refreshed. */
	readonly selectedKey?: string | undefined;
	/** Index of the first visible row of the details. */
	readonly top: number;
};

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly validation: ValidationSlice;
	}
}

type ValidationSlice = {
	readonly data: ValidationState;
	/** Starts at the first row. */
	open(): void;
	move(offset: number): void;
	scroll(offset: number, lastTop: number): void;
};

type ValidationScreenState = StateWith<'migration' | 'validation'>;

export const getValidationRows = ({
	migration: {data: migration},
}: StateWith<'migration'>): readonly ValidationRow[] =>
	migration?.events ? listValidationRows(migration.events) : [];

/** Returns the current index of the selected row. */
export function getValidationCursor(state: ValidationScreenState): number {
	const {cursor, selectedKey} = state.validation.data;
	const rows = getValidationRows(state);
	const index =
		selectedKey === undefined ? -1 : rows.findIndex(row => getValidationRowKey(row) === selectedKey);
	return index === -1 ? moveCursor(cursor, 0, rows.length) : index;
}

export const getSelectedValidationRow = (state: ValidationScreenState): ValidationRow | undefined =>
	getValidationRows(state)[getValidationCursor(state)];

/**
 * Builds the exception for the selected row. Undefined if a previous rule is selected, or if its ruleset is
 * unknown.
 */
export function buildSelectedException(state: ValidationScreenState): ExceptionDraft | undefined {
	const row = getSelectedValidationRow(state);
	if (!row || row.kind === 'rule' || row.subject.version !== 'new') return undefined;
	const draft = buildCandidateException(row.subject);
	return (
		draft && {
			...draft,
			description: `False positive at ${row.subject.path}: ${row.subject.name || row.subject.ruleId}`,
		}
	);
}

export const createValidationSlice: Slice<ValidationSlice> = (set, get) => ({
	data: {cursor: 0, top: 0},
	open: () => set({data: {cursor: 0, top: 0}}),
	move(offset) {
		const rows = getValidationRows(get());
		const cursor = moveCursor(getValidationCursor(get()), offset, rows.length);
		const row = rows[cursor];
		set({data: {cursor, top: 0, selectedKey: row && getValidationRowKey(row)}});
	},
	scroll(offset, lastTop) {
		const validation = get().validation.data;
		set({data: {...validation, top: Math.max(0, Math.min(lastTop, validation.top + offset))}});
	},
});
