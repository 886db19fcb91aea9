import {asFailure} from '../failure.ts';
import {
	type Configuration,
	fingerprint,
	parseConfiguration,
	requestBody,
} from '../migration/configuration.ts';
import {applyEdit, type Edit, editSentence} from '../migration/edits.ts';
import type {MigrationDesk} from './migration-desk.ts';
import {toStep, unseen} from './migration-moving.ts';
import {judged} from './migration-reading.ts';
import type {MigrationState} from './migration-state.ts';

/** What a person changes of the proposal: each change drops the review. */
export type MigrationEditing = {
	applyMigrationEdit(edit: Edit): void;
	undoMigrationEdit(): void;
	/** All as the service proposes it. */
	dropMigrationEdits(): void;
	/** Lends the terminal to the person's editor, with the raw configuration (decision 28). */
	editMigrationElsewhere(handOver: <T>(work: () => Promise<T>) => Promise<T>): Promise<void>;
	/** Ends when the journal has all that was edited. */
	migrationEditsKept(): Promise<void>;
};

export function createMigrationEditing({get, change, opened, ports}: MigrationDesk): MigrationEditing {
	/** The journal takes what was changed one after the other. */
	let kept: Promise<void> = Promise.resolve();

	/** Shows another configuration; a review of the one before is one no longer. */
	function show(
		migration: MigrationState,
		configuration: Configuration,
		edits: MigrationState['edits'],
	): void {
		const {id, zone, snapshot, record, cursor, top} = migration;
		const open = opened();
		change(id, {
			...toStep({reached: 'edit'}, 'edit'),
			cursor,
			top,
			seen: unseen,
			configuration,
			edits,
			rehearsal: undefined,
			failure: undefined,
			...judged(zone, snapshot, configuration),
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
		if (migration?.phase.name !== 'asking' || migration.held) return undefined;
		const {configuration} = migration;
		return configuration && {...migration, configuration};
	}

	return {
		applyMigrationEdit(edit) {
			const migration = editable();
			if (!migration) return;
			const {configuration: before} = migration;
			try {
				const after = applyEdit(before, edit);
				if (isSame(before, after)) return get().say('It is so already.');
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
			if (isSame(migration.configuration, migration.proposed)) return get().say('Nothing was edited.');
			get().dropMigrationEdits();
		},
		dropMigrationEdits() {
			const migration = editable();
			if (!migration?.proposed) return;
			show(migration, migration.proposed, []);
			get().say('It is as the service proposes it.');
		},
		async editMigrationElsewhere(handOver) {
			const migration = editable();
			if (!migration) return;
			const {id, configuration: before} = migration;
			const text = `${JSON.stringify(requestBody(before), undefined, '  ')}\n`;
			const keep = (saved: Uint8Array): string | undefined =>
				opened()?.flow.journal.keepText('edited.json', Buffer.from(saved).toString());
			await get().run('editing in $EDITOR', 'read', async signal => {
				const {editBytes} = await import('../terminal/editor.ts');
				const saved = await handOver(() =>
					editBytes(Buffer.from(text), ports.session.env, {
						signal,
						rescue(content) {
							const path = keep(content);
							return path === undefined ? undefined : `What was saved is kept in ${path}.`;
						},
					}),
				);
				let after: Configuration;
				try {
					after = parseConfiguration(Buffer.from(saved).toString(), 'What was saved in the editor');
				} catch (error) {
					const path = keep(saved);
					throw asFailure(error).with({left: path && `It is kept in ${path}.`});
				}
				const still = get().migration;
				if (still?.id !== id) return;
				if (isSame(before, after)) return get().say('Nothing was changed in the editor.');
				show({...still, cursor: 0}, after, [...still.edits, {edit: 'by hand', before}]);
			});
		},
		migrationEditsKept: () => kept,
	};
}

/** Whether two configurations are the same to the service. */
const isSame = (one: Configuration, other: Configuration | undefined): boolean =>
	fingerprint(one) === (other && fingerprint(other));
