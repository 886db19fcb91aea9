import type {Key} from '../keyboard/key.ts';
import {edit as typedIn} from '../text/text-buffer.ts';
import {editCommandOf} from './edit-keys.ts';
import {type MigrationChoice, migrationChoices} from './migration-choices.ts';
import type {MigrationDesk} from './migration-desk.ts';
import {editRows} from './migration-edit-rows.ts';
import {toStep} from './migration-moving.ts';
import {
	blockerRows,
	isMigrationTyping,
	type MigrationState,
	type MigrationStep,
	stepOf,
} from './migration-state.ts';

/** Going through the steps, and moving in the one in front. */
export type MigrationWalking = {
	/** This stands on the screen now. */
	chooseInMigration(choice: MigrationChoice): Promise<void>;
	/** The choice under the cursor. */
	enterInMigration(): Promise<void>;
	moveInMigration(by: number): void;
	/** Scrolls the text of the step, at most to `last`; of the review it is kept what was in sight. */
	scrollMigration(by: number, last: number): void;
	changeMigrationView(): void;
	toMigrationStep(step: MigrationStep): void;
	/** One step back; stops what is being read. Gives `false` where only leaving is left. */
	backInMigration(): boolean;
	/** A key of what has to be typed. Gives whether it means anything there. */
	typeInMigration(key: Key): boolean;
};

export function createMigrationWalking(desk: MigrationDesk): MigrationWalking {
	const {get, change, opened} = desk;

	/** Looks at what is there once; what the machine then waits for is watched. */
	async function lookAgain(): Promise<void> {
		const state = opened()?.flow.record.state;
		const isStanding =
			state === 'validating' || state === 'ready to update' || state === 'validating unreviewed';
		if (!isStanding) return get().resumeMigration();
		await desk.doing(
			{label: 'reading what is there', kind: 'read', phase: {name: 'reading', what: 'what is there'}},
			async ({flow}, work) => {
				await flow.look(work);
				const {record} = flow;
				return record.state === state ? {} : toStep({reached: 'zone'}, stepOf(record));
			},
		);
	}

	return {
		async chooseInMigration({does, why}) {
			const {migration} = get();
			if (migration?.phase.name !== 'asking') return;
			if (why !== undefined) return get().warn(why);
			switch (does) {
				case 'read':
					return get().readMigration();
				case 'look again':
					if (!opened()) return get().takeUpMigration();
					return migration.step === 'deploy' || migration.step === 'watch'
						? lookAgain()
						: get().readMigration();
				case 'go on':
					if (migration.step === 'zone') return get().resumeMigration();
					if (blockerRows(migration).length > 0) return get().toMigrationStep('blockers');
					return get().beginMigrationReview();
				case 'take over':
					return get().takeOverMigration();
				case 'direct':
					return get().chooseMigrationPath('pending');
				case 'validation first':
					return get().chooseMigrationPath('validation');
				case 'rehearse':
					return get().rehearseMigration();
				case 'without rehearsal':
					return get().toMigrationStep('confirm');
				case 'review':
					if (!migration.configuration) return get().readMigration();
					return get().beginMigrationReview();
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
		scrollMigration(by, last) {
			const {migration} = get();
			if (!migration) return;
			const {id, step, view, seen} = migration;
			const top = Math.max(0, Math.min(last, migration.top + by));
			const isFurther = step === 'review' && top > seen[view];
			change(id, {top, ...(isFurther && {seen: {...seen, [view]: top}})});
		},
		changeMigrationView() {
			const {migration} = get();
			if (migration) change(migration.id, {view: migration.view === 'json' ? 'comparison' : 'json', top: 0});
		},
		toMigrationStep(step) {
			const {migration} = get();
			if (migration) change(migration.id, {...toStep(migration, step), failure: undefined});
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
			const before = stepBefore[migration.step];
			if (before === undefined || migration.held) return false;
			const isEmpty = before === 'blockers' && blockerRows(migration).length === 0;
			get().toMigrationStep(isEmpty ? 'eligibility' : before);
			return true;
		},
		typeInMigration(key) {
			const {migration, message} = get();
			const command = editCommandOf(key);
			if (!migration || !isMigrationTyping(migration) || !command) return false;
			if (message) get().clearMessage();
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

/** Where esc leads from each step; from the others it leads out. */
const stepBefore: Partial<Record<MigrationStep, MigrationStep>> = {
	eligibility: 'zone',
	blockers: 'eligibility',
	review: 'blockers',
	edit: 'review',
	path: 'review',
	rehearse: 'path',
	confirm: 'rehearse',
};
