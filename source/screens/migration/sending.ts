import {asFailure} from '../../failure.ts';
import {IncompleteBackup} from '../../migration/flow/backing-up.ts';
import type {MigrationFlow} from '../../migration/flow/flow.ts';
import {furtherWords} from '../../migration/flow/further-words.ts';
import {isSendable} from '../../migration/machine/states.ts';
import {readOverride} from '../../migration/zone/override.ts';
import type {Snapshot} from '../../migration/zone/snapshot.ts';
import {bufferOf, textOf} from '../../text/buffer/buffer.ts';
import type {MigrationContext} from './context.ts';
import {isReviewed, type MigrationState, needsFurtherWord} from './state.ts';

/** What of the migration writes to the zone. */
export type MigrationSending = {
	/** Sends what was reviewed, if the name of the zone was typed. */
	confirmMigration(): Promise<void>;
	/** Deletes an override that stands against the migration; what it was is in the backup. */
	deleteMigrationOverride(id: string): Promise<void>;
};

const sendingNow = {
	pending: 'turning the previous version off',
	validation: 'beginning the validation',
} as const;

export function createMigrationSending(context: MigrationContext): MigrationSending {
	const {get, change, doing, go, opened, ports} = context;
	const {session} = ports;

	/** Nothing was sent, and the failure says why: what is asked is asked anew, unless someone else took the zone on. */
	async function notSent(before: MigrationState['record']['state'], isIncomplete: boolean): Promise<void> {
		const {failure} = get().migration ?? {};
		await doing(
			{
				label: 'reading what is there',
				kind: 'read',
				phase: {name: 'reading', what: 'what is there'},
				step: 'confirm',
			},
			async ({flow}, work) => {
				await flow.look(work);
				if (!failure) return {};
				return isIncomplete
					? {failure: failure.with({next: incompleteNext}), asks: 'word about the backup' as const}
					: {failure};
			},
		);
		if (opened()?.flow.record.state !== before) await get().settleMigration();
	}

	/** Whether the screen was left meanwhile: then its journal is given back. */
	const isLeft = (): boolean => !get().stack.includes('migration');

	/** Whether ledge is read-only, which is said. */
	function refusal(what: string): boolean {
		try {
			session.refuseWhenReadOnly(what);
			return false;
		} catch (error) {
			get().fail(asFailure(error));
			return true;
		}
	}

	return {
		async confirmMigration() {
			const {migration} = get();
			if (migration?.step !== 'confirm' || migration.phase.name !== 'asking') return;
			const {id, zone, asks, typed, goal, record} = migration;
			if (!context.isLookedAt()) return;
			const mode = record.state === 'ready to update' ? 'pending' : goal;
			const label = sendingNow[mode];
			if (refusal(label)) return;
			if (!isReviewed(migration)) {
				get().warn('What stands there was not reviewed: review it first.');
				return get().beginMigrationReview();
			}
			const expected = asks === 'name of the zone' ? zone.name : furtherWords[asks];
			if (textOf(typed) !== expected) return get().warn(`That is not the ${asks}. It stands above.`);
			if (asks === 'name of the zone' && needsFurtherWord(migration))
				return change(id, {typed: bufferOf('', {singleLine: true}), asks: 'further word'});
			// Before it is sent the flow looks once more, and says when it sends.
			const phase = {name: 'reading', what: 'what is there, before anything is sent'} as const;
			let isIncomplete = false;
			await doing({label, kind: 'write', phase, step: 'deploy'}, async ({flow}, work) => {
				const confirmation = {
					zone: zone.name,
					withoutRulesets: needsFurtherWord(migration),
					incompleteBackup: asks === 'word about the backup',
				};
				try {
					await session.auditedWrites(zone.label, steps =>
						flow.send(mode, confirmation, {...work, ...steps}),
					);
				} catch (error) {
					isIncomplete = error instanceof IncompleteBackup;
					throw error;
				}
				return {};
			});
			const state = opened()?.flow.record.state;
			const isSent = opened()?.flow.record.put !== record.put;
			if (state && isSendable(state) && !isSent && !isLeft()) return notSent(state, isIncomplete);
			await get().settleMigration();
		},
		async deleteMigrationOverride(overrideId) {
			if (refusal('deleting an override')) return;
			const {snapshot} = get().migration ?? {};
			await doing(
				{label: `deleting override ${overrideId}`, kind: 'write', phase: {name: 'deleting', id: overrideId}},
				async ({flow, client}, work) => {
					const {deleteOverride, refuseUnlessShown} = await import('../../migration/zone/delete-override.ts');
					const {zone, journal} = flow;
					if (!isKept(journal.snapshot(), snapshot, overrideId)) await flow.backUp(work);
					const shown = snapshot?.overrides.find(({id}) => id === overrideId);
					if (shown) refuseUnlessShown(readOverride(shown), zone, journal.snapshot());
					const {state} = await session.auditedWrites(zone.label, steps =>
						deleteOverride(client, zone, overrideId, journal.snapshot(), {...work, ...steps}),
					);
					if (state === 'deleted') await recordDeletion(flow, overrideId);
					return {};
				},
			);
			if (isLeft()) return get().settleMigration();
			const {migration} = get();
			if (migration && migration.failure === undefined) await reread();
		},
	};

	/** Reads the zone anew, and stays with the blockers. */
	async function reread(): Promise<void> {
		await get().readMigration();
		const {migration} = get();
		if (migration && migration.failure === undefined && migration.step === 'eligibility') go('blockers');
	}
}

/** The service has deleted it, whether or not that can be recorded. */
async function recordDeletion(flow: MigrationFlow, id: string): Promise<void> {
	try {
		await flow.overrideDeleted(id);
	} catch (error) {
		throw asFailure(error).with({left: `Override ${id} was deleted; the journal does not have that.`});
	}
}

const incompleteNext =
	'After the migration nobody can read it any more. Give the credential the permission to read it, or say below that the backup may lack it.';

/** Whether a backup holds an override as it was read. */
function isKept(kept: Snapshot | undefined, read: Snapshot | undefined, overrideId: string): boolean {
	const find = (snapshot: Snapshot | undefined) =>
		JSON.stringify(snapshot?.overrides.find(({id}) => id === overrideId));
	return find(kept) !== undefined && find(kept) === find(read);
}
