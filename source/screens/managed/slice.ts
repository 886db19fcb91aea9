import {asFailure, type Failure} from '../../failure.ts';
import {configurationOf, type InForce, readInForce} from '../../managed/in-force.ts';
import {propose} from '../../managed/proposal.ts';
import {type Configuration, fingerprint} from '../../migration/configuration/configuration.ts';
import {describeEdit} from '../../migration/configuration/difference-words.ts';
import type {Edit} from '../../migration/configuration/edits.ts';
import {type MadeEdit, rebaseEdits} from '../../migration/configuration/rebase.ts';
import type {Ruleset} from '../../rulesets/ruleset.ts';
import {wayThere} from '../../session/qualify-commands.ts';
import type {Slice} from '../../store/slice.ts';
import type {OpenedZone} from '../firewall/state.ts';
import {movedCursor} from '../list/list.ts';
import {getLoadedState, hasLoaded} from '../list/reading.ts';
import {withEdit} from '../managed-edit/applying.ts';
import {editRows} from '../managed-edit/edit-rows.ts';
import type {ManagedEditor} from '../managed-edit/host.ts';
import type {KeptEdits} from '../managed-edit/kept-edits.ts';
import {screenOf} from '../shell/screen-name.ts';
import {createReviewTimer, type ReviewTimer} from '../write-flow/review-timer.ts';
import {managedFormId} from './form.ts';
import {beginningOf, isManagedTouched, type ManagedState, managedZoneOf} from './state.ts';
import {createManagedWrites, type ManagedWrites} from './writes.ts';

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly managed: ManagedSlice;
	}
}

type ManagedSlice = ManagedWrites & {
	readonly data: ManagedState | undefined;
	/** Opens the managed rules of a zone; changes in another zone stay as a draft. */
	open(zone: OpenedZone): void;
	/** Reads the rules; unsent changes are reapplied to the current rules. */
	load(signal: AbortSignal): Promise<void>;
	/** Reads the rules, then offers a draft of the zone. Never fails. */
	readInFront(): Promise<void>;
	/**
	 * Checks in the background whether the rules stop more than their migration's validation showed. Never
	 * fails.
	 */
	readRise(): Promise<void>;
	/**
	 * Shows the rules after a write, with the unsent edits. `isOwn`: the write was ours. Returns the edits
	 * that were dropped.
	 */
	show(
		zone: string,
		ruleset: Ruleset | undefined,
		rest: Partial<ManagedState>,
		isOwn: boolean,
	): readonly string[];
	/** Marks the rules as outdated by a write. */
	markStale(): void;
	/** Returns the content for the shared editor. */
	editor(): ManagedEditor | undefined;
	applyEdit(edit: Edit): void;
	undoEdit(): void;
	/** Applies the edits of a draft to the current rules. */
	resumeEdits(kept: Pick<KeptEdits, 'unfinished'> & {readonly edits: readonly MadeEdit[]}): void;
	move(by: number): void;
	scroll(by: number, last: number): void;
	/** Goes to the review, or back to the rules. */
	toStep(step: ManagedState['step']): void;
	/** Switches the review between request and `curl` line. */
	toggleView(): void;
	readonly wasVisibleLongEnough: ReviewTimer['wasVisibleLongEnough'];
	/** Leaves the screen; keeps the changes as a draft, or discards them. */
	leave(how: 'keep' | 'discard'): void;
};

/** The active managed rules: read, edited locally, reviewed, sent with one call. */
export const createManagedSlice: Slice<ManagedSlice> = (set, get, ports) => {
	const change = (part: Partial<ManagedState>) =>
		set(({data: managed}) => (managed ? {data: {...managed, ...part}} : {}));

	/** Number of the latest read; results of earlier reads are ignored. */
	let latest = 0;
	let numbered = 0;
	const timer = createReviewTimer(get, ports);

	/** Returns the state with these edits, and their proposal. */
	function edited(
		managed: ManagedState,
		inForce: InForce,
		edits: readonly MadeEdit[],
		configuration: Configuration,
	): ManagedState {
		timer.restart();
		const proposal = edits.length > 0 ? propose(inForce, configuration) : undefined;
		const rows = editRows(configuration).length;
		return {
			...managed,
			inForce,
			edits,
			configuration,
			proposal,
			step: proposal ? managed.step : 'rules',
			cursor: Math.max(0, Math.min(managed.cursor, rows - 1)),
		};
	}

	/**
	 * Shows the current rules with these edits, based on `editedFrom`. Returns the edits that were dropped.
	 */
	function showInForce(
		inForce: InForce,
		rest: Partial<ManagedState>,
		made: readonly MadeEdit[],
		editedFrom = made[0]?.before,
	): readonly string[] {
		const managed = get().managed.data;
		if (!managed) return [];
		latest++;
		const {edits, configuration, lost} = rebaseEdits(made, inForce.configuration);
		const next = {...managed, reading: 'read' as const, failure: undefined, ...rest, editedFrom};
		set({data: edited(next, inForce, edits, configuration)});
		return lost;
	}

	const lostSentence = (lost: readonly string[]): string =>
		`Dropped, because someone else changed these rules: ${lost.join(' ')}`;

	/** Shows other edits, and clears the obstacle of the previous ones. */
	function show(edits: readonly MadeEdit[], configuration: Configuration): void {
		const managed = get().managed.data;
		if (!managed?.inForce) return;
		set({
			data: edited(
				{...managed, obstacle: undefined, top: 0, ...(edits.length === 0 && {editedFrom: undefined})},
				managed.inForce,
				edits,
				configuration,
			),
		});
	}

	return {
		data: undefined,
		open(chosen) {
			const managed = get().managed.data;
			const zone = {...chosen, way: wayThere(ports.session.options)};
			if (managed?.zone.id === zone.id) return change({zone});
			if (managed) get().drafts.release(managedFormId(managed));
			latest++;
			set({data: beginningOf(++numbered, zone)});
		},
		async load(signal) {
			const managed = get().managed.data;
			if (!managed) return;
			const reading = ++latest;
			const before = getLoadedState(managed);
			change({reading: before ? 'reading again' : 'reading'});
			try {
				const client = await ports.session.client();
				const inForce = await readInForce(client, managedZoneOf(managed.zone), signal);
				if (reading !== latest) return;
				const {edits, editedFrom} = get().managed.data ?? managed;
				const lost = showInForce(inForce, {}, edits, edits.length > 0 ? editedFrom : undefined);
				if (lost.length > 0) get().messages.warn(lostSentence(lost));
			} catch (error) {
				const failure: Failure = asFailure(error);
				if (reading === latest && signal.aborted) change({reading: before ?? 'unread'});
				else if (reading === latest) change({reading: before ?? 'failed', failure});
				throw failure;
			}
		},
		async readInFront() {
			const managed = get().managed.data;
			const {run} = get().work;
			const isRead = await run(`reading managed rules of ${managed?.zone.name ?? ''}`, 'read', signal =>
				get().managed.load(signal),
			);
			if (isRead) void get().managed.readRise();
			const now = get().managed.data;
			const dialog = get().dialog.current;
			if (!isRead || !now || isManagedTouched(now) || now.inForce?.readOnly) return;
			if (dialog || screenOf(get()) !== 'managed') return;
			get().drafts.offerAllOf({kind: 'managed rules', zone: now.zone.id}, () => {});
		},
		async readRise() {
			const managed = get().managed.data;
			const {run} = get().work;
			if (!managed) return;
			const {id, zone} = managed;
			await run(`reading security events of ${zone.name}`, 'background', async signal => {
				const {riseIn} = await import('./rise.ts');
				const rise = await riseIn(await ports.session.client(), ports.session, managedZoneOf(zone), signal);
				if (get().managed.data?.id === id) change({rise});
			});
		},
		show(zone, ruleset, rest, isOwn) {
			const managed = get().managed.data;
			if (managed?.zone.id !== zone || !managed.inForce) return [];
			const configuration = configurationOf(ruleset);
			const now = {...managed.inForce, ruleset, configuration, fingerprint: fingerprint(configuration)};
			// After our own write, the remaining edits are based on its result.
			const editedFrom = isOwn ? configuration : managed.editedFrom;
			return showInForce(now, rest, rest.edits ?? managed.edits, editedFrom);
		},
		markStale() {
			const managed = get().managed.data;
			if (managed && hasLoaded(managed)) change({reading: 'stale'});
		},
		editor() {
			const managed = get().managed.data;
			if (!managed?.inForce) return undefined;
			const {configuration, inForce, cursor, unfinished} = managed;
			return {
				configuration,
				begun: inForce.configuration,
				managed: inForce.managed,
				plan: inForce.zone.plan,
				cursor,
				unfinished,
				rulesOtherwise: () => [],
				apply: edit => get().managed.applyEdit(edit),
				move: by => get().managed.move(by),
				forgetUnfinished: () => change({unfinished: undefined}),
			};
		},
		applyEdit(edit) {
			const editor = get().managed.editor();
			const managed = get().managed.data;
			if (!editor || !managed) return;
			try {
				const after = withEdit(editor, edit);
				if (!after) return get().messages.say('No change.');
				show([...managed.edits, {edit, before: editor.configuration}], after);
				get().messages.say(`${describeEdit(edit, editor.configuration, editor.managed)} Not sent yet.`);
			} catch (error) {
				get().messages.fail(asFailure(error));
			}
		},
		undoEdit() {
			const managed = get().managed.data;
			const last = managed?.edits.at(-1);
			if (!managed || !last) return;
			show(managed.edits.slice(0, -1), last.before);
			get().messages.say(`Undone: ${describeEdit(last.edit, last.before, managed.inForce?.managed)}`);
		},
		resumeEdits({edits, unfinished}) {
			const managed = get().managed.data;
			if (!managed?.inForce) return;
			const lost = showInForce(managed.inForce, {unfinished, cursor: 0, top: 0, step: 'rules'}, edits);
			if (lost.length > 0) get().messages.warn(lostSentence(lost));
			else if (unfinished) get().messages.say('The changes are restored; x continues the exception.');
		},
		move(by) {
			const managed = get().managed.data;
			if (!managed) return;
			change({cursor: movedCursor(managed.cursor, by, editRows(managed.configuration).length), top: 0});
		},
		scroll(by, last) {
			const managed = get().managed.data;
			if (managed) change({top: Math.max(0, Math.min(last, managed.top + by))});
		},
		toStep(step) {
			const managed = get().managed.data;
			if (!managed || (step === 'review' && !managed.proposal)) return;
			timer.restart();
			change({step, shows: 'requests', top: 0, obstacle: undefined});
		},
		toggleView() {
			const managed = get().managed.data;
			if (managed) change({shows: managed.shows === 'curl' ? 'requests' : 'curl', top: 0});
		},
		wasVisibleLongEnough: timer.wasVisibleLongEnough,
		leave(how) {
			const managed = get().managed.data;
			const {back} = get().navigation;
			get().work.cancelReads();
			if (managed && how === 'keep') get().drafts.release(managedFormId(managed));
			if (managed?.inForce) {
				const {inForce} = managed;
				set({
					data: {
						...edited(managed, inForce, [], inForce.configuration),
						id: ++numbered,
						unfinished: undefined,
						editedFrom: undefined,
						obstacle: undefined,
					},
				});
			}
			back();
		},
		...createManagedWrites(set, get, ports),
	};
};
