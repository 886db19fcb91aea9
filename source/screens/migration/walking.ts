import type {Key} from '../../keyboard/key.ts';
import {isValidating} from '../../migration/machine/states.ts';
import {edit as typedIn} from '../../text/buffer/buffer.ts';
import {editCommandOf} from '../shell/edit-keys.ts';
import {type MigrationChoice, migrationChoices} from './choices.ts';
import type {MigrationContext} from './context.ts';
import {editRows} from './edit-rows.ts';
import {migrationLeavingLines} from './leaving.ts';
import {toStep} from './moving.ts';
import {
	blockerRows,
	isMigrationTyping,
	isOpen,
	type MigrationState,
	type MigrationStep,
	stepOf,
} from './state.ts';

/** Going through the steps, and moving in the one in front. */
export type MigrationWalking = {
	/** This stands on the screen now. */
	chooseInMigration(choice: MigrationChoice): Promise<void>;
	/** The choice under the cursor. */
	enterInMigration(): Promise<void>;
	moveInMigration(by: number): void;
	/**
	 * Scrolls the text of the step, at most to `last`; of the review it is kept how far it was in sight, with no more than
	 * a `page` at a time: what was jumped over was not.
	 */
	scrollMigration(by: number, last: number, page: number): void;
	changeMigrationView(): void;
	toMigrationStep(step: MigrationStep): void;
	/** One step back; stops what is being read. Gives `false` where only leaving is left. */
	backInMigration(): boolean;
	/** A key of what has to be typed. Gives whether it means anything there. */
	typeInMigration(key: Key): boolean;
};

export function createMigrationWalking(context: MigrationContext): MigrationWalking {
	const {get, change, opened} = context;

	/** Looks at what is there once; what the machine then waits for is watched. */
	async function lookAgain(): Promise<void> {
		const state = opened()?.flow.record.state;
		if (!state || !isValidating(state)) return get().resumeMigration();
		await context.doing(
			{label: 'reading what is there', kind: 'read', phase: {name: 'reading', what: 'what is there'}},
			async ({flow}, work) => {
				await flow.look(work);
				const {record} = flow;
				return record.state === state ? {} : toStep(stepOf(record));
			},
		);
	}

	/** To the review of what would end the validation; what was taken up at its PUT is read first. */
	async function reviewInValidation(): Promise<void> {
		if (!get().migration?.configuration) await get().readMigration();
		const {migration} = get();
		if (!migration?.configuration || migration.phase.name !== 'asking') return;
		if (migration.eligibility?.eligible === false) return get().toMigrationStep('blockers');
		return get().beginMigrationReview();
	}

	/** Does what reads the zone again: edits are a draft meanwhile. Asks first where that cannot be kept. */
	async function anew(read: () => Promise<void>): Promise<void> {
		const {migration} = get();
		if (!migration || !get().isMigrationTouched() || !get().saveDrafts()) return read();
		get().open({
			kind: 'confirm',
			title: 'Read it anew?',
			lines: [...migrationLeavingLines(migration), get().whenClosed()],
			does: 'read it anew',
			confirm: () => void read(),
		});
	}

	return {
		async chooseInMigration({does, why}) {
			const {migration} = get();
			if (migration?.phase.name !== 'asking') return;
			if (why !== undefined) return get().warn(why);
			switch (does) {
				case 'read':
					return anew(get().readMigration);
				case 'look again':
					if (!opened()) return get().takeUpMigration();
					return migration.step === 'deploy' || migration.step === 'watch'
						? lookAgain()
						: anew(get().readMigration);
				case 'go on':
					if (migration.step === 'zone') return anew(get().resumeMigration);
					if (blockerRows(migration).length > 0) return get().toMigrationStep('blockers');
					return get().beginMigrationReview();
				case 'take over':
					return anew(get().takeOverMigration);
				case 'direct':
					return get().chooseMigrationPath('pending');
				case 'validation first':
					return get().chooseMigrationPath('validation');
				case 'rehearse':
					return get().rehearseMigration();
				case 'without rehearsal':
					return get().toMigrationStep('confirm');
				case 'review':
					return reviewInValidation();
				case 'watch':
					return get().resumeMigration();
				case 'ready to update':
					return get().readyMigration();
				case 'turn off previous version':
					change(migration.id, {goal: 'pending'});
					return get().toMigrationStep('confirm');
				case 'verify':
					return get().verifyMigration();
				case 'leave':
					return get().leaveMigration();
				default:
					return does satisfies never;
			}
		},
		async enterInMigration() {
			const {migration} = get();
			if (migration?.phase.name !== 'asking') return;
			switch (migration.step) {
				case 'review':
					return get().reviewMigration();
				case 'edit':
					return get().toMigrationStep('review');
				case 'blockers': {
					const {eligibility} = migration;
					if (!eligibility?.eligible)
						return get().warn(
							`It cannot migrate as it is: ${eligibility?.blockers.find(({hinders}) => hinders)?.sentence ?? ''}`,
						);
					return get().beginMigrationReview();
				}
				default: {
					const choice = migrationChoices(migration)[migration.cursor];
					if (choice) return get().chooseInMigration(choice);
				}
			}
		},
		moveInMigration(by) {
			const {migration} = get();
			if (!migration) return;
			const cursor = Math.max(0, Math.min(lastRow(migration), migration.cursor + by));
			change(migration.id, {cursor, ...(migration.step === 'edit' && {top: 0})});
		},
		scrollMigration(by, last, page) {
			const {migration} = get();
			if (!migration) return;
			const {id, step, view, seen} = migration;
			const top = Math.max(0, Math.min(last, migration.top + by));
			const isFurther = step === 'review' && top > seen[view] && top <= seen[view] + page;
			change(id, {top, ...(isFurther && {seen: {...seen, [view]: top}})});
		},
		changeMigrationView() {
			const {migration} = get();
			if (migration) change(migration.id, {view: migration.view === 'json' ? 'comparison' : 'json', top: 0});
		},
		toMigrationStep(step) {
			const {migration} = get();
			if (migration) change(migration.id, {...toStep(step), failure: undefined});
		},
		backInMigration() {
			const {migration} = get();
			if (!migration) return false;
			switch (migration.phase.name) {
				case 'reading':
				case 'backing up':
				case 'rehearsing':
					return get().cancelReads();
				case 'asking':
					break;
				default:
					return false;
			}
			const to = stepBefore(migration);
			if (to === undefined || !isOpen(migration)) return false;
			const isEmpty = to === 'blockers' && blockerRows(migration).length === 0;
			get().toMigrationStep(isEmpty ? 'eligibility' : to);
			return true;
		},
		typeInMigration(key) {
			const {migration} = get();
			const command = editCommandOf(key);
			if (!migration || !isMigrationTyping(migration) || !command) return false;
			get().clearReadMessage();
			change(migration.id, {typed: typedIn(migration.typed, command)});
			return true;
		},
	};
}

const lastRow = (migration: MigrationState): number => {
	switch (migration.step) {
		case 'blockers':
			return blockerRows(migration).length - 1;
		case 'edit':
			return migration.configuration ? editRows(migration.configuration).length - 1 : 0;
		default:
			return migrationChoices(migration).length - 1;
	}
};

/** Where esc leads; `undefined` where it leads out. In validation all leads back to where that is watched. */
function stepBefore({step, record, goal}: MigrationState): MigrationStep | undefined {
	if (!isValidating(record.state)) return before[step];
	switch (step) {
		case 'blockers':
		case 'review':
		case 'rehearse':
			return 'watch';
		case 'confirm':
			return goal === 'validation' && record.state === 'validating' ? 'rehearse' : 'watch';
		default:
			return before[step];
	}
}

const before: Partial<Record<MigrationStep, MigrationStep>> = {
	eligibility: 'zone',
	blockers: 'eligibility',
	review: 'blockers',
	edit: 'review',
	path: 'review',
	rehearse: 'path',
	confirm: 'rehearse',
};
