import {asFailure, Failure} from '../../failure.ts';
import {advice, inZone} from '../../text/advice.ts';
import type {Configuration} from '../configuration/configuration.ts';
import {withDeleted} from '../journal/deleted-overrides.ts';
import {isReal} from '../journal/folder.ts';
import type {MigrationJournal} from '../journal/journal.ts';
import type {KeptBackup, MigrationRecord, Put, ValidationShown} from '../journal/record.ts';
import {markOf, otherThanSent, wasTaken} from '../machine/observation.ts';
import type {Mode, Observation} from '../machine/stage.ts';
import {isInDoubt, isNotTaken, stateTable} from '../machine/states.ts';
import type {MigrationZone} from '../zone/migration-zone.ts';
import type {Snapshot} from '../zone/snapshot.ts';
import {backUpNow, keepBackup, readZone} from './backing-up.ts';
import {type ReviewDrift, readReviewDrift} from './drift.ts';
import {createDriving, createTurns, type Driving} from './driving.ts';
import {refuseWrong} from './guards.ts';
import {settle} from './lost-answer.ts';
import type {Confirmation, FlowParts, FlowWork} from './parts.ts';
import {ask, isSameMark, type ReviewBasis, refuseTooEarly, review} from './reviewing.ts';
import {described, send as sendReviewed} from './sending.ts';
import {watch} from './watching.ts';

/**
 * The migration of one zone. Every step that writes first rereads check, status and entry point, and is
 * written to the journal before the request and after the answer. The only way to send an entry point PUT.
 */
export type MigrationFlow = {
	readonly zone: MigrationZone;
	readonly journal: MigrationJournal;
	readonly record: MigrationRecord;
	/** Why the last reading is not in the journal, for example a full disk; the next reading is kept. */
	readonly unkept?: Failure | undefined;
	/** Reads check, status and entry point, and advances the machine. */
	look(work: FlowWork): Promise<Observation>;
	/**
	 * Reads the zone and returns the snapshot for `backUp`. Throws `input_malformed` if the configuration
	 * would not be sent, for example because of an unknown managed ruleset id.
	 */
	check(configuration: Configuration, work: FlowWork): Promise<Snapshot>;
	/**
	 * Keeps a backup of a snapshot in the zone's folder; reads one if none is given. Equal content is kept
	 * once.
	 */
	backUp(work: FlowWork, snapshot?: Snapshot): Promise<KeptBackup>;
	/**
	 * Records that the user reviewed this configuration, and what was shown. Only a reviewed configuration is
	 * ever sent.
	 */
	review(configuration: Configuration, basis: ReviewBasis, goal: Mode): Promise<void>;
	/**
	 * Records that the user requested this PUT, and replaces an earlier request that was not sent. `digits`:
	 * fingerprint of the configuration.
	 */
	ask(mode: Mode, digits?: string): Promise<void>;
	/** Records that ledge deleted an override; its effect must be recreated. */
	overrideDeleted(id: string): Promise<void>;
	/** Records what security events showed during validation, for the report. */
	validationShown(shown: ValidationShown): Promise<void>;
	/**
	 * Reads the reviewed configuration from the zone's folder. Throws `journal_invalid` if it does not match
	 * the journal.
	 */
	reviewed(): Promise<Configuration | undefined>;
	/** Discards the review, because the configuration was changed. */
	edit(): Promise<void>;
	/** Records that the previous version can be turned off next. */
	ready(): Promise<void>;
	/**
	 * Accepts the current state after the zone was changed elsewhere, or an hour after a PUT without effect:
	 * rereads the zone and discards the review. Throws `changed_meanwhile` if the rules are not those in
	 * `shown`.
	 */
	takeOver(work: FlowWork, shown: Pick<ReviewDrift, 'entryPoint'>): Promise<Observation>;
	/** Compares the current rules of the zone with those reviewed here. */
	drift(work: FlowWork): Promise<ReviewDrift>;
	/**
	 * Sends the reviewed configuration. Sends nothing unless the zone's name is confirmed, the zone is
	 * eligible and backed up, and nothing has changed since the review. If the answer is lost, observes the
	 * zone for at least five minutes. Returns the record, whose `state` tells whether the service accepted.
	 * Throws if nothing was sent, the service refused, or the journal cannot be written afterwards. A
	 * confirmation is valid once.
	 */
	send(mode: Mode, confirmation: Confirmation, work: FlowWork): Promise<MigrationRecord>;
	/** Continues to observe the zone after a lost answer, until the original deadline. */
	settle(work: FlowWork): Promise<MigrationRecord>;
	/**
	 * Watches until the machine is at rest, for example `validating`, `complete` or `moved on`: with growing
	 * delays, for at most an hour.
	 */
	watch(work: FlowWork): Promise<MigrationRecord>;
};

/**
 * Creates the flow of a zone from its journal. Starts no request. Throws `internal` for a real zone without a
 * journal on disk, unless nothing is sent.
 */
export function createFlow(parts: FlowParts): MigrationFlow {
	const {client, zone, journal, readOnly} = parts;
	if (journal.folder === undefined && !client.dryRun && !readOnly && isReal(journal.target))
		throw new Failure('internal', 'The migration of a real zone wants a journal on the disk.');
	const driving = createDriving(parts);
	const inTurn = createTurns();
	const used = new WeakSet<Confirmation>();

	async function reviewed(): Promise<Configuration | undefined> {
		const {reviewed: known} = driving.record;
		return known && journal.readReviewed(known.fingerprint);
	}

	async function send(mode: Mode, confirmation: Confirmation, work: FlowWork): Promise<Put | undefined> {
		if (used.has(confirmation))
			throw new Failure('unconfirmed', 'A confirmation serves for one sending only.', {
				next: `Confirm with the name of the zone, ${zone.name}, again.`,
			});
		// Used even if sending fails: it confirmed what was shown at that time.
		used.add(confirmation);
		await ask(driving, mode);
		return sendReviewed(driving, {
			mode,
			confirmation,
			work,
			backUp: () => backUpNow(driving, confirmation, work),
		});
	}

	return {
		zone,
		journal,
		get record() {
			return driving.record;
		},
		get unkept() {
			return driving.unkept;
		},
		reviewed,
		look: work => inTurn(() => driving.look(work)),
		check: (configuration, work) =>
			inTurn(async () => {
				const snapshot = await readZone(driving, work);
				refuseWrong(configuration, snapshot);
				return snapshot;
			}),
		backUp: (work, snapshot) =>
			inTurn(async () => keepBackup(driving, snapshot ?? (await readZone(driving, work)))),
		review: (configuration, basis, goal) => inTurn(() => review(driving, configuration, basis, goal)),
		ask: (mode, digits) => inTurn(() => ask(driving, mode, digits)),
		validationShown: validation => inTurn(() => driving.change({validation})),
		overrideDeleted: id => inTurn(() => driving.change(withDeleted(driving.record, id))),
		edit: () => inTurn(() => driving.take('edit', 'Editing', {reviewed: undefined})),
		ready: () => inTurn(() => driving.take('ready', 'Ready to update', {goal: 'pending'})),
		drift: work =>
			inTurn(() => readReviewDrift(client, zone, driving.record, journal.readReviewed, work.signal)),
		takeOver: (work, shown) =>
			inTurn(async () => {
				refuseTooEarly(driving);
				const now = await driving.look(work);
				if (!isSameMark(markOf(now), shown.entryPoint)) throw changedSinceShown(zone);
				await driving.take('take over', 'Taking over', {
					reviewed: undefined,
					put: undefined,
					goal: undefined,
				});
				return driving.look(work);
			}),
		async send(mode, confirmation, work) {
			const before = driving.record.state;
			let put: Put | undefined;
			try {
				put = await inTurn(() => send(mode, confirmation, work));
			} catch (error) {
				const {state} = driving.record;
				if (!isNotTaken(state) || state === before) throw error;
				throw await refusedBy(driving, asFailure(error), () => inTurn(() => driving.look(work)));
			}
			if (put?.came === 'lost') {
				if (wasTaken(await settle(driving, inTurn, work))) work.wrote?.(described(put.mode, put.fingerprint));
			} else if (put) {
				// The PUT was accepted even if this reading fails; watching reads again.
				await inTurn(() => driving.look(work)).catch(() => {});
			}
			if (driving.unkept) throw notWritten(driving);
			return driving.record;
		},
		settle: work => settle(driving, inTurn, work),
		async watch(work) {
			if (isInDoubt(driving.record.state)) await settle(driving, inTurn, work);
			return watch(driving, inTurn, work);
		},
	};
}

const changedSinceShown = ({name}: MigrationZone): Failure =>
	new Failure('changed_meanwhile', `The managed rules of ${name} changed again since they were shown.`, {
		left: 'Nothing was sent, and the review is kept.',
		next: 'Check the current differences, then take over again.',
	});

/** Adds the state after a refused PUT to the failure, if it can be read. */
async function refusedBy(driving: Driving, failure: Failure, look: () => Promise<unknown>): Promise<Failure> {
	try {
		await look();
	} catch {
		// The refusal matters more than the failed reading.
		return failure;
	}
	const {seen, put} = driving.record;
	const isUnchanged = seen?.stage === put?.before.stage && seen?.entryPoint?.version === put?.before.version;
	return failure.with({
		left: isUnchanged
			? 'Request rejected; the zone is unchanged.'
			: `Request rejected. Now: ${inWords(driving)}`,
	});
}

/** Reports that the service accepted a PUT but the journal could not be written. */
function notWritten(driving: Driving): Failure {
	const {unkept, record} = driving;
	const taken = record.put?.came === 'accepted' || wasTaken(record);
	return (unkept ?? new Failure('file_failed', 'The journal cannot be written.')).with({
		left: `${
			taken
				? 'The configuration was sent, and the service took it.'
				: 'The configuration was sent, and its answer could not be kept.'
		} Now: ${inWords(driving)}`,
		next: advice`Make the state directory writable; \`${inZone('migration resume')}\` then continues from what the service reports.`,
	});
}

const inWords = ({record}: Driving): string =>
	[`${stateTable[record.state].means}.`, otherThanSent(record)].filter(Boolean).join(' ');
