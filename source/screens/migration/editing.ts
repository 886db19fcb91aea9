import {asFailure, Failure} from '../../failure.ts';
import {type Configuration, fingerprint} from '../../migration/configuration/configuration.ts';
import {applyEdit, type Edit, editSentence} from '../../migration/configuration/edits.ts';
import {idFindings} from '../../migration/configuration/id-checks.ts';
import type {MigrationContext} from './context.ts';
import {createMigrationElsewhere, type MigrationElsewhere} from './elsewhere.ts';
import type {EditFields} from './form.ts';
import {toStep, unseen} from './moving.ts';
import {judged} from './reading.ts';
import {isOpen, type MigrationState} from './state.ts';

/** What a person changes of the proposal: each change drops the review. */
export type MigrationEditing = MigrationElsewhere & {
	applyMigrationEdit(edit: Edit): void;
	undoMigrationEdit(): void;
	/** All as the service proposes it. */
	dropMigrationEdits(): void;
	/** Shows what a draft holds in place of what is there; what is there is what the first edit is compared with. */
	resumeMigrationEdits(fields: EditFields): void;
	/** The exception that was being typed is gone on with, or given up. */
	forgetUnfinished(): void;
	/** Ends when the journal has all that was edited. */
	migrationEditsKept(): Promise<void>;
};

export function createMigrationEditing(context: MigrationContext): MigrationEditing {
	const {get, change, opened} = context;
	/** The journal takes what was changed one after the other. */
	let kept: Promise<void> = Promise.resolve();

	/** Shows another configuration; a review of the one before is one no longer. */
	function show(
		migration: MigrationState,
		configuration: Configuration,
		edits: MigrationState['edits'],
		unfinished = migration.unfinished,
	): void {
		const {id, record, cursor, top} = migration;
		const open = opened();
		change(id, {
			...toStep('edit'),
			cursor,
			top,
			seen: unseen,
			configuration,
			edits,
			unfinished,
			rehearsal: undefined,
			failure: undefined,
			...judged(migration, configuration),
		});
		if (!open || record.reviewed === undefined) return;
		kept = kept
			.then(() => open.flow.edit())
			.then(
				() => change(id, {record: open.flow.record}),
				(error: unknown) => get().fail(asFailure(error)),
			);
	}

	/** The migration, where it can be edited. */
	function editable(): (MigrationState & {readonly configuration: Configuration}) | undefined {
		const {migration} = get();
		if (migration?.phase.name !== 'asking' || !isOpen(migration)) return undefined;
		const {configuration} = migration;
		return configuration && {...migration, configuration};
	}

	const elsewhere = createMigrationElsewhere(context, editable, (id, before, after) => {
		const {migration} = get();
		if (migration?.id !== id) return;
		if (isSame(before, after)) return get().say('Nothing was changed in the editor.');
		show({...migration, cursor: 0}, after, [...migration.edits, {edit: 'by hand', before}]);
	});

	return {
		applyMigrationEdit(edit) {
			const migration = editable();
			if (!migration) return;
			const {configuration: before} = migration;
			try {
				const after = applyEdit(before, edit);
				if (isSame(before, after)) return get().say('It is so already.');
				refuseUnknownIds(migration, before, after);
				show(migration, after, [...migration.edits, {edit, before}]);
				get().say(editSentence(edit));
			} catch (error) {
				get().fail(asFailure(error));
			}
		},
		undoMigrationEdit() {
			const migration = editable();
			const last = migration?.edits.at(-1);
			if (!migration) return;
			if (last) {
				show(migration, last.before, migration.edits.slice(0, -1));
				return get().say(
					`Taken back: ${last.edit === 'by hand' ? 'what was written in the editor' : editSentence(last.edit)}`,
				);
			}
			if (!isEdited(migration)) return get().say('Nothing was edited.');
			get().dropMigrationEdits();
		},
		dropMigrationEdits() {
			const migration = editable();
			if (!migration?.proposed) return;
			show(migration, migration.proposed, []);
			get().say(
				migration.record.seen?.stage === 'validation'
					? 'It is as it is in force.'
					: 'It is as the service proposes it.',
			);
		},
		resumeMigrationEdits({edits, configuration, unfinished, left}) {
			const migration = editable();
			if (!migration) return;
			show({...migration, cursor: 0, top: 0}, configuration, edits, unfinished);
			change(migration.id, {left});
		},
		forgetUnfinished() {
			const {migration} = get();
			if (migration) change(migration.id, {unfinished: undefined});
		},
		...elsewhere,
		migrationEditsKept: () => kept,
	};
}

/** Fails where an edit names what the zone's managed rulesets do not hold: the service refuses it. */
function refuseUnknownIds(
	{snapshot, proposed}: MigrationState,
	before: Configuration,
	after: Configuration,
): void {
	const unknown = ({rules}: Configuration) =>
		rules.flatMap(rule => idFindings(rule, snapshot?.managed, proposed).map(({sentence}) => sentence));
	const known = new Set(unknown(before));
	const added = unknown(after).find(sentence => !known.has(sentence));
	if (added === undefined) return;
	throw new Failure('usage', added, {
		why: 'Nothing was changed.',
		next: 'Use the id of a rule of that ruleset, as the dashboard or the Rulesets API shows it.',
	});
}

/** Whether anything can be taken back: what is there is not what the service proposes, or has in force. */
export const isEdited = ({configuration, proposed, edits}: MigrationState): boolean =>
	edits.length > 0 ||
	(configuration !== undefined && proposed !== undefined && !isSame(configuration, proposed));

/** Whether two configurations are the same to the service. */
const isSame = (one: Configuration, other: Configuration): boolean =>
	one === other || fingerprint(one) === fingerprint(other);
