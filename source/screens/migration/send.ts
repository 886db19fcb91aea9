import {toFailure} from '../../failure.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {IncompleteBackupFailure} from '../../migration/flow/backup-step.ts';
import {confirmationWords} from '../../migration/flow/context.ts';
import type {MigrationFlow} from '../../migration/flow/flow.ts';
import {getReviewBasis} from '../../migration/flow/reviewing.ts';
import type {MigrationMode} from '../../migration/machine/stage.ts';
import {isIneligible, isReadyToUpdate, isSendable} from '../../migration/machine/states.ts';
import {parseWafOverride, type WafOverride} from '../../migration/zone/override.ts';
import type {Snapshot} from '../../migration/zone/snapshot.ts';
import {toZonePlace} from '../../session/write-place.ts';
import {createBuffer, getBufferText} from '../../text/buffer/buffer.ts';
import {formatQuantity} from '../../text/figures.ts';
import {readMigration, rereadOperation, settleMigration} from './advance.ts';
import type {MigrationController} from './controller.ts';
import {formatRestoreCommand} from './messages.ts';
import {isMigrationReviewed, type MigrationState, mustConfirmNoRulesets} from './state.ts';

/** Goes to the review. First saves a backup of the state that it is based on, unless an equal one exists. */
export async function beginReview({get, go, runOperation}: MigrationController): Promise<void> {
	const {snapshot} = get().migration.data ?? {};
	if (snapshot)
		await runOperation(
			{label: 'writing the backup', kind: 'read', phase: {name: 'backing up', objectCount: 0}},
			async ({flow}, options) => {
				await flow.backUp(options, snapshot);
				return {};
			},
		);
	// The review can be read without a backup. One is made before anything is sent.
	const {failure, phase} = get().migration.data ?? {};
	if (phase?.name === 'asking') go('review', {failure});
}

/** Records that the user reviewed the current configuration. */
export async function confirmReview(controller: MigrationController): Promise<void> {
	const {get, change, proceed, getOpenMigration} = controller;
	const migration = get().migration.data;
	const {flow} = getOpenMigration() ?? {};
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
		const failure = controller.qualifyFailure(zone.id, error);
		change(migration.id, {failure, record: flow.record});
		return get().messages.fail(failure);
	}
	const step = record.seen?.stage === 'validation' ? 'watch' : 'path';
	proceed(step, {record: flow.record, rehearsal: undefined});
}

export async function chooseMigrationMode(
	{get, proceed, getOpenMigration}: MigrationController,
	goal: MigrationMode,
): Promise<void> {
	const migration = get().migration.data;
	const {flow} = getOpenMigration() ?? {};
	if (!migration?.configuration || !flow) return;
	const {configuration, record} = migration;
	try {
		// Saves the mode in the journal with the review, whose basis stays as it was shown.
		const {reviewed: {proposed, entryPoint, at} = {}} = record;
		if (record.goal !== goal && isMigrationReviewed(migration))
			await flow.review(configuration, {proposed, entryPoint, at}, goal);
	} catch (error) {
		return get().messages.fail(toFailure(error));
	}
	proceed('rehearse', {goal, record: flow.record, ...(record.goal !== goal && {rehearsal: undefined})});
}

export async function runRehearsal({get, runOperation, ports}: MigrationController): Promise<void> {
	const migration = get().migration.data;
	if (!migration?.configuration || !migration.snapshot)
		return get().messages.warn('Nothing to rehearse: read the zone first.');
	const {configuration, snapshot, goal} = migration;
	await runOperation(
		{label: 'rehearsing', kind: 'read', phase: {name: 'rehearsing'}},
		async ({flow}, {signal, reportPhase}) => {
			const {zone} = flow;
			const {rehearseMigration: rehearse} = await import('../../migration/flow/rehearsal.ts');
			const rehearsal = await rehearse(
				{zone, snapshot, configuration, goal, startService: ports.session.startRehearsal},
				{signal, onStep: step => reportPhase({name: 'rehearsing', step})},
			);
			if (rehearsal.sameAsPlanned) await flow.recordRehearsal(rehearsal.fingerprint);
			return {rehearsal, record: flow.record, top: 0, cursor: 0};
		},
	);
}

/** Records that the previous version may be turned off. */
export async function markReadyToUpdate(controller: MigrationController): Promise<void> {
	const {get, change, getOpenMigration} = controller;
	const {flow} = getOpenMigration() ?? {};
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

/** True if the screen, and the journal with it, was closed during the operation. */
const hasLeftScreen = ({get}: MigrationController): boolean => !get().navigation.stack.includes('migration');

/** Warns if ledge is read-only. Returns true if it is. */
function warnIfReadOnly({get, ports}: MigrationController, subject: string): boolean {
	try {
		ports.session.refuseWhenReadOnly(subject);
		return false;
	} catch (error) {
		get().messages.fail(toFailure(error));
		return true;
	}
}

/**
 * After an attempt that sent nothing, asks for the confirmation again and shows the failure. If the zone was
 * changed elsewhere, goes to the step for that.
 */
async function handleNotSent(
	controller: MigrationController,
	stateBefore: MigrationState['record']['state'],
	isBackupIncomplete: boolean,
): Promise<void> {
	const {failure} = controller.get().migration.data ?? {};
	await controller.runOperation({...rereadOperation, step: 'confirm'}, async ({flow}, options) => {
		await flow.observe(options);
		if (!failure) return {};
		if (failure.code === 'changed_meanwhile')
			return {
				failure: failure.withDetails({
					next: `Press ${nameKey('migration.reload', 'ctrl-r')} to read the zone again, then review it again.`,
				}),
			};
		return isBackupIncomplete
			? {
					failure: failure.withDetails({next: incompleteBackupAdvice}),
					expectedInput: 'word about the backup' as const,
				}
			: {failure};
	});
	if (controller.getOpenMigration()?.flow.record.state !== stateBefore) await settleMigration(controller);
}

/** Sends the reviewed configuration if the text that the user typed confirms it. */
export async function confirmSending(controller: MigrationController): Promise<void> {
	const {get, change, getOpenMigration, ports} = controller;
	const migration = get().migration.data;
	if (migration?.step !== 'confirm' || migration.phase.name !== 'asking') return;
	const {id, zone, expectedInput, typedBuffer, goal, record} = migration;
	if (!controller.wasVisibleLongEnough()) return;
	const mode = isReadyToUpdate(record.state) ? 'pending' : goal;
	const label = sendingLabels[mode];
	if (warnIfReadOnly(controller, label)) return;
	if (!isMigrationReviewed(migration)) {
		get().messages.warn('This configuration was not reviewed: review it first.');
		return beginReview(controller);
	}
	const expectedText = expectedInput === 'name of the zone' ? zone.name : confirmationWords[expectedInput];
	if (getBufferText(typedBuffer) !== expectedText)
		return get().messages.warn(`Does not match. Type ${expectedText}.`);
	if (expectedInput === 'name of the zone' && mustConfirmNoRulesets(migration))
		return change(id, {
			typedBuffer: createBuffer('', {singleLine: true}),
			expectedInput: 'word about protection',
		});
	// The flow reads the zone again before it sends, and reports when it sends.
	const phase = {name: 'reading', what: 'the current state, before anything is sent'} as const;
	let isBackupIncomplete = false;
	await controller.runOperation({label, kind: 'write', phase, step: 'deploy'}, async ({flow}, options) => {
		const confirmation = {
			zone: zone.name,
			withoutRulesets: mustConfirmNoRulesets(migration),
			incompleteBackup: expectedInput === 'word about the backup',
		};
		try {
			const place = await ports.session.permit(toZonePlace(zone), label);
			await ports.session.auditWrites(place, auditHooks =>
				flow.send(mode, confirmation, {...options, ...auditHooks}),
			);
		} catch (error) {
			isBackupIncomplete = error instanceof IncompleteBackupFailure;
			throw error;
		}
		return {};
	});
	const {state, put} = getOpenMigration()?.flow.record ?? {};
	if (state && isSendable(state) && put === record.put && !hasLeftScreen(controller))
		return handleNotSent(controller, state, isBackupIncomplete);
	await settleMigration(controller);
}

/** Deletes blocking overrides if they are as shown, after a backup of them. */
export async function deleteBlockingOverrides(
	controller: MigrationController,
	ids: readonly string[],
): Promise<void> {
	const {get, go, change, ports} = controller;
	const label = ids.length === 1 ? `deleting override ${ids[0]}` : `deleting ${ids.length} overrides`;
	if (warnIfReadOnly(controller, label)) return;
	const {snapshot, id: openingId} = get().migration.data ?? {};
	const shownOverrides = listOverrides(snapshot).filter(({id}) => ids.includes(id));
	let deletedCount = 0;
	await controller.runOperation(
		{label, kind: 'write', phase: {name: 'deleting', what: label}},
		async ({flow, client}, options) => {
			const deletionModule = await import('../../migration/zone/delete-override.ts');
			const {zone, journal} = flow;
			const place = await ports.session.permit(toZonePlace(zone), label);
			if (!shownOverrides.every(({id}) => isBackedUp(journal.loadBackup(), snapshot, id)))
				await flow.backUp(options);
			const deletions = await ports.session.auditWrites(
				place,
				auditHooks =>
					deletionModule.deleteOverrides(client, zone, shownOverrides, journal.loadBackup(), {
						...options,
						...auditHooks,
						async onOutcome({state, override}) {
							if (state !== 'deleted') return;
							deletedCount++;
							await recordDeletion(flow, override.id);
						},
					}),
				deletionModule.findDeletionFailure,
			);
			const failure = deletionModule.findDeletionFailure(deletions);
			if (failure) throw failure;
			return {};
		},
	);
	if (hasLeftScreen(controller)) return settleMigration(controller);
	const failure = get().migration.data?.failure;
	if (failure && deletedCount === 0 && failure.code !== 'changed_meanwhile') return;
	await readMigration(controller);
	// The screen stays at the blockers and shows the outcome.
	if (hasFailed(controller)) return;
	if (get().migration.data?.step === 'eligibility') go('blockers');
	// Advice to read the state is dropped, because the new state is on this screen.
	if (failure && openingId !== undefined)
		change(openingId, {failure: failure.withDetails({next: undefined})});
	const migration = get().migration.data;
	if (deletedCount === 0 || !migration?.backup) return;
	change(migration.id, {restoreCommand: formatRestoreCommand(migration, migration.backup.folder)});
	if (failure) return;
	get().messages.say(
		`Deleted ${formatQuantity(deletedCount, 'override')}. To restore, run the command shown (${nameKey('migration.copy', 'y')} copies it).`,
	);
}

const listOverrides = (snapshot: Snapshot | undefined): readonly WafOverride[] =>
	(snapshot?.overrides ?? []).map(parseWafOverride);

const hasFailed = ({get}: MigrationController): boolean => get().migration.data?.failure !== undefined;

/** Records a deletion in the journal. If that fails, the failure says that the override was deleted. */
async function recordDeletion(flow: MigrationFlow, id: string): Promise<void> {
	try {
		await flow.recordDeletedOverride(id);
	} catch (error) {
		throw toFailure(error).withDetails({
			left: `Override ${id} was deleted, but the journal doesn't record it.`,
		});
	}
}

const incompleteBackupAdvice =
	'It can no longer be read after the migration. Give the credential permission to read it, or confirm below that the backup may omit it.';

/** True if a backup contains an override exactly as it was shown. */
function isBackedUp(
	backup: Snapshot | undefined,
	shownSnapshot: Snapshot | undefined,
	overrideId: string,
): boolean {
	const serializeOverride = (snapshot: Snapshot | undefined) =>
		JSON.stringify(snapshot?.overrides.find(({id}) => id === overrideId));
	return (
		serializeOverride(backup) !== undefined && serializeOverride(backup) === serializeOverride(shownSnapshot)
	);
}
