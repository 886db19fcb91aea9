import {asFailure} from '../../failure.ts';
import {IncompleteBackup} from '../../migration/flow/backing-up.ts';
import type {MigrationFlow} from '../../migration/flow/flow.ts';
import {furtherWords} from '../../migration/flow/parts.ts';
import {basisOf} from '../../migration/flow/reviewing.ts';
import type {Mode} from '../../migration/machine/stage.ts';
import {isIneligible, isReadyToUpdate, isSendable} from '../../migration/machine/states.ts';
import {readOverride, type WafOverride} from '../../migration/zone/override.ts';
import type {Snapshot} from '../../migration/zone/snapshot.ts';
import {placeOfZone} from '../../session/write-place.ts';
import {bufferOf, textOf} from '../../text/buffer/buffer.ts';
import type {MigrationController} from './controller.ts';
import {lookPhase, read, settle} from './driving.ts';
import {isReviewed, type MigrationState, needsFurtherWord} from './state.ts';

/** Goes to the review, after a backup of its basis if none is equal. */
export async function beginReview({get, go, doing}: MigrationController): Promise<void> {
	const {snapshot} = get().migration.data ?? {};
	if (snapshot)
		await doing(
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
export async function review(controller: MigrationController): Promise<void> {
	const {get, change, go, opened} = controller;
	const migration = get().migration.data;
	const {flow} = opened() ?? {};
	if (!migration || !flow || migration.phase.name !== 'asking') return;
	const {configuration, snapshot, findings, goal, record, zone} = migration;
	if (!configuration || !snapshot) return get().messages.warn('No configuration to review.');
	const wrong = findings.find(({severity}) => severity === 'error');
	if (wrong) return get().messages.warn(`It cannot be sent like this: ${wrong.sentence}`);
	if (!controller.wasVisibleLongEnough()) return;
	if (isIneligible(record.state))
		return get().messages.warn(`${zone.name} is not eligible: see the blockers.`);
	try {
		await flow.review(configuration, basisOf(snapshot), goal);
	} catch (error) {
		const failure = controller.failureIn(zone.id, error);
		change(migration.id, {failure, record: flow.record});
		return get().messages.fail(failure);
	}
	const step = record.seen?.stage === 'validation' ? 'watch' : 'path';
	go(step, {record: flow.record, failure: undefined, rehearsal: undefined});
}

export async function choosePath({get, go, opened}: MigrationController, goal: Mode): Promise<void> {
	const migration = get().migration.data;
	const {flow} = opened() ?? {};
	if (!migration?.configuration || !flow) return;
	const {configuration, record} = migration;
	try {
		// Keeps the mode in the journal with the review; its basis stays what was shown at the review.
		const {reviewed: {proposed, entryPoint, at} = {}} = record;
		if (record.goal !== goal && isReviewed(migration))
			await flow.review(configuration, {proposed, entryPoint, at}, goal);
	} catch (error) {
		return get().messages.fail(asFailure(error));
	}
	go('rehearse', {goal, record: flow.record, ...(record.goal !== goal && {rehearsal: undefined})});
}

export async function rehearse({get, doing, ports}: MigrationController): Promise<void> {
	const migration = get().migration.data;
	if (!migration?.configuration || !migration.snapshot)
		return get().messages.warn('Nothing to rehearse: read the zone first.');
	const {configuration, snapshot, goal} = migration;
	await doing(
		{label: 'rehearsing', kind: 'read', phase: {name: 'rehearsing'}},
		async ({flow: {zone}}, {signal, tell}) => {
			const {rehearse: run} = await import('../../migration/flow/rehearsal.ts');
			const rehearsal = await run(
				{zone, snapshot, configuration, goal, connect: ports.session.startRehearsal},
				{signal, onStep: step => tell({name: 'rehearsing', step})},
			);
			return {rehearsal, top: 0, cursor: 0};
		},
	);
}

/** Records that the previous version may be turned off. */
export async function ready(controller: MigrationController): Promise<void> {
	const {get, change, opened} = controller;
	const {flow} = opened() ?? {};
	const migration = get().migration.data;
	if (!flow || !migration || !controller.wasVisibleLongEnough()) return;
	try {
		await flow.ready();
	} catch (error) {
		return get().messages.fail(asFailure(error));
	}
	change(migration.id, {record: flow.record, goal: 'pending', cursor: 0});
}

const sendingNow = {
	pending: 'turning the previous version off',
	validation: 'beginning the validation',
} as const;

/** True if the screen was closed during the operation, and the journal with it. */
const isLeft = ({get}: MigrationController): boolean => !get().navigation.stack.includes('migration');

/** True if ledge is read-only; reports that. */
function isRefused({get, ports}: MigrationController, what: string): boolean {
	try {
		ports.session.refuseWhenReadOnly(what);
		return false;
	} catch (error) {
		get().messages.fail(asFailure(error));
		return true;
	}
}

/** After nothing was sent, asks again and shows the failure, unless the zone was changed elsewhere. */
async function notSent(
	controller: MigrationController,
	before: MigrationState['record']['state'],
	isIncomplete: boolean,
): Promise<void> {
	const {failure} = controller.get().migration.data ?? {};
	await controller.doing({...lookPhase, step: 'confirm'}, async ({flow}, work) => {
		await flow.look(work);
		if (!failure) return {};
		return isIncomplete
			? {failure: failure.with({next: incompleteNext}), asks: 'word about the backup' as const}
			: {failure};
	});
	if (controller.opened()?.flow.record.state !== before) await settle(controller);
}

/** Sends the reviewed configuration if the zone's name was typed. */
export async function confirm(controller: MigrationController): Promise<void> {
	const {get, change, opened, ports} = controller;
	const migration = get().migration.data;
	if (migration?.step !== 'confirm' || migration.phase.name !== 'asking') return;
	const {id, zone, asks, typed, goal, record} = migration;
	if (!controller.wasVisibleLongEnough()) return;
	const mode = isReadyToUpdate(record.state) ? 'pending' : goal;
	const label = sendingNow[mode];
	if (isRefused(controller, label)) return;
	if (!isReviewed(migration)) {
		get().messages.warn('This configuration was not reviewed: review it first.');
		return beginReview(controller);
	}
	const expected = asks === 'name of the zone' ? zone.name : furtherWords[asks];
	if (textOf(typed) !== expected) return get().messages.warn(`Does not match. Type ${expected}.`);
	if (asks === 'name of the zone' && needsFurtherWord(migration))
		return change(id, {typed: bufferOf('', {singleLine: true}), asks: 'further word'});
	// The flow rereads the zone before it sends, and reports when it sends.
	const phase = {name: 'reading', what: 'the current state, before anything is sent'} as const;
	let isIncomplete = false;
	await controller.doing({label, kind: 'write', phase, step: 'deploy'}, async ({flow}, work) => {
		const confirmation = {
			zone: zone.name,
			withoutRulesets: needsFurtherWord(migration),
			incompleteBackup: asks === 'word about the backup',
		};
		try {
			const place = await ports.session.permit(placeOfZone(zone), label);
			await ports.session.auditedWrites(place, steps => flow.send(mode, confirmation, {...work, ...steps}));
		} catch (error) {
			isIncomplete = error instanceof IncompleteBackup;
			throw error;
		}
		return {};
	});
	const {state, put} = opened()?.flow.record ?? {};
	if (state && isSendable(state) && put === record.put && !isLeft(controller))
		return notSent(controller, state, isIncomplete);
	await settle(controller);
}

/** Deletes blocking overrides as shown, after a backup of them. */
export async function deleteOverrides(
	controller: MigrationController,
	ids: readonly string[],
): Promise<void> {
	const {get, go, change, ports} = controller;
	const label = ids.length === 1 ? `deleting override ${ids[0]}` : `deleting ${ids.length} overrides`;
	if (isRefused(controller, label)) return;
	const {snapshot, id: opening} = get().migration.data ?? {};
	const shown = overridesOf(snapshot).filter(({id}) => ids.includes(id));
	let deleted = 0;
	await controller.doing(
		{label, kind: 'write', phase: {name: 'deleting', what: label}},
		async ({flow, client}, work) => {
			const deletion = await import('../../migration/zone/delete-override.ts');
			const {zone, journal} = flow;
			const place = await ports.session.permit(placeOfZone(zone), label);
			if (!shown.every(({id}) => isKept(journal.snapshot(), snapshot, id))) await flow.backUp(work);
			const all = await ports.session.auditedWrites(
				place,
				steps =>
					deletion.deleteOverrides(client, zone, shown, journal.snapshot(), {
						...work,
						...steps,
						async onOutcome({state, override}) {
							if (state !== 'deleted') return;
							deleted++;
							await recordDeletion(flow, override.id);
						},
					}),
				deletion.deletionFailure,
			);
			const failure = deletion.deletionFailure(all);
			if (failure) throw failure;
			return {};
		},
	);
	if (isLeft(controller)) return settle(controller);
	const failure = get().migration.data?.failure;
	if (failure && deleted === 0 && failure.code !== 'changed_meanwhile') return;
	await read(controller);
	// Stays at the blockers and shows the outcome.
	if (hasFailed(controller)) return;
	if (get().migration.data?.step === 'eligibility') go('blockers');
	// The new state is on this screen.
	if (failure && opening !== undefined) change(opening, {failure: failure.with({next: undefined})});
}

const overridesOf = (snapshot: Snapshot | undefined): readonly WafOverride[] =>
	(snapshot?.overrides ?? []).map(readOverride);

const hasFailed = ({get}: MigrationController): boolean => get().migration.data?.failure !== undefined;

/** Records a deletion in the journal. If that fails, the failure says that the override was deleted. */
async function recordDeletion(flow: MigrationFlow, id: string): Promise<void> {
	try {
		await flow.overrideDeleted(id);
	} catch (error) {
		throw asFailure(error).with({left: `Override ${id} was deleted; the journal does not have that.`});
	}
}

const incompleteNext =
	'It can no longer be read after the migration. Give the credential the permission to read it, or confirm below that the backup may lack it.';

/** True if a backup holds an override exactly as it was read. */
function isKept(kept: Snapshot | undefined, shown: Snapshot | undefined, overrideId: string): boolean {
	const find = (snapshot: Snapshot | undefined) =>
		JSON.stringify(snapshot?.overrides.find(({id}) => id === overrideId));
	return find(kept) !== undefined && find(kept) === find(shown);
}
