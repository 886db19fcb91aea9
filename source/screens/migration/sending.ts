import {toFailure} from '../../failure.ts';
import {IncompleteBackup} from '../../migration/flow/backing-up.ts';
import type {MigrationFlow} from '../../migration/flow/flow.ts';
import {confirmationWords} from '../../migration/flow/parts.ts';
import {getReviewBasis} from '../../migration/flow/reviewing.ts';
import type {MigrationMode} from '../../migration/machine/stage.ts';
import {isIneligible, isReadyToUpdate, isSendable} from '../../migration/machine/states.ts';
import {parseWafOverride, type WafOverride} from '../../migration/zone/override.ts';
import type {Snapshot} from '../../migration/zone/snapshot.ts';
import {toZonePlace} from '../../session/write-place.ts';
import {createBuffer, getBufferText} from '../../text/buffer/buffer.ts';
import type {MigrationController} from './controller.ts';
import {lookPhase, readMigration, settleMigration} from './driving.ts';
import {isMigrationReviewed, type MigrationState, mustTypeFurtherWord} from './state.ts';

/** Goes to the review, after a backup of its basis if none is equal. */
export async function beginReview({get, go, doing: runOperation}: MigrationController): Promise<void> {
	const {snapshot} = get().migration.data ?? {};
	if (snapshot)
		await runOperation(
			{label: 'writing the backup', kind: 'read', phase: {name: 'backing up', objects: 0}},
			async ({flow}, work) => {
				await flow.backUp(work, snapshot);
				return {};
			},
		);
	// The review can be read without a backup; one is made before sending.
	const {failure, phase} = get().migration.data ?? {};
	if (phase?.name === 'asking') go('review', {failure});
}

/** Records that the user reviewed the current configuration. */
export async function confirmReview(controller: MigrationController): Promise<void> {
	const {get, change, go, getOpen} = controller;
	const migration = get().migration.data;
	const {flow} = getOpen() ?? {};
	if (!migration || !flow || migration.phase.name !== 'asking') return;
	const {configuration, snapshot, findings, goal, record, zone} = migration;
	if (!configuration || !snapshot) return get().messages.warn('No configuration to review.');
	const firstError = findings.find(({severity}) => severity === 'error');
	if (firstError) return get().messages.warn(`It cannot be sent like this: ${firstError.sentence}`);
	if (!controller.wasVisibleLongEnough()) return;
	if (isIneligible(record.state))
		return get().messages.warn(`${zone.name} is not eligible: see the blockers.`);
	try {
		await flow.review(configuration, getReviewBasis(snapshot), goal);
	} catch (error) {
		const failure = controller.failureIn(zone.id, error);
		change(migration.id, {failure, record: flow.record});
		return get().messages.fail(failure);
	}
	const step = record.seen?.stage === 'validation' ? 'watch' : 'path';
	go(step, {record: flow.record, failure: undefined, rehearsal: undefined});
}

export async function choosePath(
	{get, go, getOpen}: MigrationController,
	goal: MigrationMode,
): Promise<void> {
	const migration = get().migration.data;
	const {flow} = getOpen() ?? {};
	if (!migration?.configuration || !flow) return;
	const {configuration, record} = migration;
	try {
		// Keeps the mode in the journal with the review; its basis stays what was shown at the review.
		const {reviewed: {proposed, entryPoint, at} = {}} = record;
		if (record.goal !== goal && isMigrationReviewed(migration))
			await flow.review(configuration, {proposed, entryPoint, at}, goal);
	} catch (error) {
		return get().messages.fail(toFailure(error));
	}
	go('rehearse', {goal, record: flow.record, ...(record.goal !== goal && {rehearsal: undefined})});
}

export async function runRehearsal({get, doing: runOperation, ports}: MigrationController): Promise<void> {
	const migration = get().migration.data;
	if (!migration?.configuration || !migration.snapshot)
		return get().messages.warn('Nothing to rehearse: read the zone first.');
	const {configuration, snapshot, goal} = migration;
	await runOperation(
		{label: 'rehearsing', kind: 'read', phase: {name: 'rehearsing'}},
		async ({flow: {zone}}, {signal, tell}) => {
			const {rehearseMigration: run} = await import('../../migration/flow/rehearsal.ts');
			const rehearsal = await run(
				{zone, snapshot, configuration, goal, connect: ports.session.startRehearsal},
				{signal, onStep: step => tell({name: 'rehearsing', step})},
			);
			return {rehearsal, top: 0, cursor: 0};
		},
	);
}

/** Records that the previous version may be turned off. */
export async function markReadyToUpdate(controller: MigrationController): Promise<void> {
	const {get, change, getOpen} = controller;
	const {flow} = getOpen() ?? {};
	const migration = get().migration.data;
	if (!flow || !migration || !controller.wasVisibleLongEnough()) return;
	try {
		await flow.markReady();
	} catch (error) {
		return get().messages.fail(toFailure(error));
	}
	change(migration.id, {record: flow.record, goal: 'pending', cursor: 0});
}

const sendingLabels = {
	pending: 'turning the previous version off',
	validation: 'beginning the validation',
} as const;

/** True if the screen was closed during the operation, and the journal with it. */
const hasLeft = ({get}: MigrationController): boolean => !get().navigation.stack.includes('migration');

/** True if ledge is read-only; reports that. */
function isRefused({get, ports}: MigrationController, what: string): boolean {
	try {
		ports.session.refuseWhenReadOnly(what);
		return false;
	} catch (error) {
		get().messages.fail(toFailure(error));
		return true;
	}
}

/** After nothing was sent, asks again and shows the failure, unless the zone was changed elsewhere. */
async function handleNotSent(
	controller: MigrationController,
	before: MigrationState['record']['state'],
	isIncomplete: boolean,
): Promise<void> {
	const {failure} = controller.get().migration.data ?? {};
	await controller.doing({...lookPhase, step: 'confirm'}, async ({flow}, work) => {
		await flow.look(work);
		if (!failure) return {};
		return isIncomplete
			? {failure: failure.withDetails({next: incompleteNext}), asks: 'word about the backup' as const}
			: {failure};
	});
	if (controller.getOpen()?.flow.record.state !== before) await settleMigration(controller);
}

/** Sends the reviewed configuration if the zone's name was typed. */
export async function confirmSending(controller: MigrationController): Promise<void> {
	const {get, change, getOpen, ports} = controller;
	const migration = get().migration.data;
	if (migration?.step !== 'confirm' || migration.phase.name !== 'asking') return;
	const {id, zone, asks, typed, goal, record} = migration;
	if (!controller.wasVisibleLongEnough()) return;
	const mode = isReadyToUpdate(record.state) ? 'pending' : goal;
	const label = sendingLabels[mode];
	if (isRefused(controller, label)) return;
	if (!isMigrationReviewed(migration)) {
		get().messages.warn('This configuration was not reviewed: review it first.');
		return beginReview(controller);
	}
	const expected = asks === 'name of the zone' ? zone.name : confirmationWords[asks];
	if (getBufferText(typed) !== expected) return get().messages.warn(`Does not match. Type ${expected}.`);
	if (asks === 'name of the zone' && mustTypeFurtherWord(migration))
		return change(id, {typed: createBuffer('', {singleLine: true}), asks: 'further word'});
	// The flow rereads the zone before it sends, and reports when it sends.
	const phase = {name: 'reading', what: 'the current state, before anything is sent'} as const;
	let isIncomplete = false;
	await controller.doing({label, kind: 'write', phase, step: 'deploy'}, async ({flow}, work) => {
		const confirmation = {
			zone: zone.name,
			withoutRulesets: mustTypeFurtherWord(migration),
			incompleteBackup: asks === 'word about the backup',
		};
		try {
			const place = await ports.session.permit(toZonePlace(zone), label);
			await ports.session.auditWrites(place, steps => flow.send(mode, confirmation, {...work, ...steps}));
		} catch (error) {
			isIncomplete = error instanceof IncompleteBackup;
			throw error;
		}
		return {};
	});
	const {state, put} = getOpen()?.flow.record ?? {};
	if (state && isSendable(state) && put === record.put && !hasLeft(controller))
		return handleNotSent(controller, state, isIncomplete);
	await settleMigration(controller);
}

/** Deletes blocking overrides as shown, after a backup of them. */
export async function deleteBlockingOverrides(
	controller: MigrationController,
	ids: readonly string[],
): Promise<void> {
	const {get, go, change, ports} = controller;
	const label = ids.length === 1 ? `deleting override ${ids[0]}` : `deleting ${ids.length} overrides`;
	if (isRefused(controller, label)) return;
	const {snapshot, id: opening} = get().migration.data ?? {};
	const shown = listOverrides(snapshot).filter(({id}) => ids.includes(id));
	let deleted = 0;
	await controller.doing(
		{label, kind: 'write', phase: {name: 'deleting', what: label}},
		async ({flow, client}, work) => {
			const deletion = await import('../../migration/zone/delete-override.ts');
			const {zone, journal} = flow;
			const place = await ports.session.permit(toZonePlace(zone), label);
			if (!shown.every(({id}) => isBackedUp(journal.loadBackup(), snapshot, id))) await flow.backUp(work);
			const all = await ports.session.auditWrites(
				place,
				steps =>
					deletion.deleteOverrides(client, zone, shown, journal.loadBackup(), {
						...work,
						...steps,
						async onOutcome({state, override}) {
							if (state !== 'deleted') return;
							deleted++;
							await recordDeletion(flow, override.id);
						},
					}),
				deletion.buildDeletionFailure,
			);
			const failure = deletion.buildDeletionFailure(all);
			if (failure) throw failure;
			return {};
		},
	);
	if (hasLeft(controller)) return settleMigration(controller);
	const failure = get().migration.data?.failure;
	if (failure && deleted === 0 && failure.code !== 'changed_meanwhile') return;
	await readMigration(controller);
	// Stays at the blockers and shows the outcome.
	if (hasFailed(controller)) return;
	if (get().migration.data?.step === 'eligibility') go('blockers');
	// The new state is on this screen.
	if (failure && opening !== undefined) change(opening, {failure: failure.withDetails({next: undefined})});
}

const listOverrides = (snapshot: Snapshot | undefined): readonly WafOverride[] =>
	(snapshot?.overrides ?? []).map(parseWafOverride);

const hasFailed = ({get}: MigrationController): boolean => get().migration.data?.failure !== undefined;

/** Records a deletion in the journal. If that fails, the failure says that the override was deleted. */
async function recordDeletion(flow: MigrationFlow, id: string): Promise<void> {
	try {
		await flow.recordDeletedOverride(id);
	} catch (error) {
		throw toFailure(error).withDetails({left: `Override ${id} was deleted; the journal does not have that.`});
	}
}

const incompleteNext =
	'It can no longer be read after the migration. Give the credential the permission to read it, or confirm below that the backup may lack it.';

/** True if a backup holds an override exactly as it was read. */
function isBackedUp(backup: Snapshot | undefined, shown: Snapshot | undefined, overrideId: string): boolean {
	const serializeOverride = (snapshot: Snapshot | undefined) =>
		JSON.stringify(snapshot?.overrides.find(({id}) => id === overrideId));
	return serializeOverride(backup) !== undefined && serializeOverride(backup) === serializeOverride(shown);
}
