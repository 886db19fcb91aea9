import {asFailure} from '../../failure.ts';
import {basisOf} from '../../migration/flow/reviewing.ts';
import type {Mode} from '../../migration/machine/stage.ts';
import type {MigrationContext} from './context.ts';
import {isReviewed} from './state.ts';

/** What of the migration a person decides before anything is sent. */
export type MigrationReviewing = {
	/** To the review; what it is made from is kept first, where no backup holds just that. */
	beginMigrationReview(): Promise<void>;
	/** What stands there was reviewed by a person. */
	reviewMigration(): Promise<void>;
	chooseMigrationPath(goal: Mode): Promise<void>;
	rehearseMigration(): Promise<void>;
	/** Ready to update: the previous version may be turned off. */
	readyMigration(): Promise<void>;
};

export function createMigrationReviewing(context: MigrationContext): MigrationReviewing {
	const {get, change, doing, go, opened, ports} = context;
	const {session} = ports;

	return {
		async beginMigrationReview() {
			const {snapshot} = get().migration ?? {};
			if (snapshot)
				await doing(
					{label: 'writing the backup', kind: 'read', phase: {name: 'backing up', objects: 0}},
					async ({flow}, work) => {
						await flow.backUp(work, snapshot);
						return {};
					},
				);
			// Without it the review can be read all the same; one is made before anything is sent.
			const {failure, phase} = get().migration ?? {};
			if (phase?.name === 'asking') go('review', {failure});
		},
		async reviewMigration() {
			const {migration} = get();
			const open = opened();
			if (!migration || !open || migration.phase.name !== 'asking') return;
			const {configuration, snapshot, findings, goal, record, zone} = migration;
			if (!configuration || !snapshot) return get().warn('There is no configuration that could be reviewed.');
			const wrong = findings.find(({severity}) => severity === 'error');
			if (wrong) return get().warn(`It cannot be sent like this: ${wrong.sentence}`);
			if (!context.isLookedAt()) return;
			if (record.state === 'blocked') return get().warn(`${zone.name} is not eligible: see the blockers.`);
			try {
				await open.flow.review(configuration, basisOf(snapshot), goal);
			} catch (error) {
				const failure = context.ledThere(zone.id, error);
				change(migration.id, {failure, record: open.flow.record});
				return get().fail(failure);
			}
			const step = record.seen?.stage === 'validation' ? 'watch' : 'path';
			go(step, {record: open.flow.record, failure: undefined, rehearsal: undefined});
		},
		async chooseMigrationPath(goal) {
			const {migration} = get();
			const open = opened();
			if (!migration?.configuration || !open) return;
			const {configuration, record} = migration;
			try {
				// The goal is in the journal, beside what was reviewed; what was shown at the review stays its basis.
				const {reviewed: {proposed, entryPoint, at} = {}} = record;
				if (record.goal !== goal && isReviewed(migration))
					await open.flow.review(configuration, {proposed, entryPoint, at}, goal);
			} catch (error) {
				return get().fail(asFailure(error));
			}
			go('rehearse', {goal, record: open.flow.record, ...(record.goal !== goal && {rehearsal: undefined})});
		},
		async rehearseMigration() {
			const {migration} = get();
			if (!migration?.configuration || !migration.snapshot)
				return get().warn('There is nothing to rehearse with: read the zone first.');
			const {configuration, snapshot, goal} = migration;
			await doing(
				{label: 'rehearsing', kind: 'read', phase: {name: 'rehearsing'}},
				async ({flow: {zone}}, {signal, tell}) => {
					const {rehearse} = await import('../../migration/flow/rehearsal.ts');
					const rehearsal = await rehearse(
						{zone, snapshot, configuration, goal, connect: session.startRehearsal},
						{signal, onStep: step => tell({name: 'rehearsing', step})},
					);
					return {rehearsal, top: 0, cursor: 0};
				},
			);
		},
		async readyMigration() {
			const open = opened();
			const {migration} = get();
			if (!open || !migration || !context.isLookedAt()) return;
			try {
				await open.flow.ready();
			} catch (error) {
				return get().fail(asFailure(error));
			}
			change(migration.id, {record: open.flow.record, goal: 'pending', cursor: 0});
		},
	};
}
