import {toFailure} from '../../failure.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {proposeConfiguration} from '../../managed/proposal.ts';
import {type ManagedRulesState, readManagedState, toConfiguration} from '../../managed/state.ts';
import {computeFingerprint, type ManagedConfiguration} from '../../migration/configuration/configuration.ts';
import {describeEdit} from '../../migration/configuration/difference-words.ts';
import type {ConfigurationEdit} from '../../migration/configuration/edits.ts';
import {type AppliedEdit, rebaseEdits} from '../../migration/configuration/rebase.ts';
import type {Ruleset} from '../../rulesets/ruleset.ts';
import {formatSessionOptions} from '../../session/qualify-commands.ts';
import type {Slice} from '../../store/slice.ts';
import {formatQuantity} from '../../text/figures.ts';
import {createReader, emptyList, moveCursor} from '../list/list.ts';
import {hasLoaded} from '../list/reading.ts';
import {withEdit} from '../managed-edit/apply-edit.ts';
import {buildEditRows, followEditRow} from '../managed-edit/edit-rows.ts';
import type {ManagedEditor} from '../managed-edit/editor.ts';
import type {SavedEdits} from '../managed-edit/saved-edits.ts';
import {getCurrentScreen} from '../shell/screen-name.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';
import {createReviewTimer, type ReviewTimer} from '../write-flow/review-timer.ts';
import {getManagedFormId} from './form.ts';
import {createManagedState, getLastEdits, hasUnsentEdits, type ManagedState, toManagedZone} from './state.ts';
import {createManagedWrites, type ManagedWrites} from './writes.ts';

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly managed: ManagedSlice;
	}
}

type ManagedSlice = ManagedWrites & {
	readonly data: ManagedState | undefined;
	/** Opens the managed rules of a zone; changes in another zone stay as a draft. */
	open(zone: ZoneWithLabel): void;
	/** Reads the rules; unsent changes are reapplied to the current rules. */
	load(signal: AbortSignal): Promise<void>;
	/** Reads the rules as shown work. Resolves to true if they were read. Never fails. */
	read(): Promise<boolean>;
	/** Offers a draft of the zone, if the rules are in front and have no unsent changes. */
	offerDraft(): void;
	/** Reads the rules, then offers a draft of the zone. Never fails. */
	readAndOfferDraft(): Promise<void>;
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
		zoneId: string,
		ruleset: Ruleset | undefined,
		otherState: Partial<ManagedState>,
		isOwn: boolean,
	): readonly string[];
	/** Marks the rules as outdated by a write. */
	markStale(): void;
	/** Returns the content for the shared editor. */
	getEditor(): ManagedEditor | undefined;
	applyEdit(edit: ConfigurationEdit): void;
	/** Applies the edits of one action, which are undone together. Returns false if one fails: then none is applied. */
	applyEdits(edits: readonly ConfigurationEdit[]): boolean;
	/** Undoes the edits of the last action. */
	undoEdit(): void;
	/** Applies the edits of a draft to the current rules. */
	resumeEdits(saved: Pick<SavedEdits, 'unfinished'> & {readonly edits: readonly AppliedEdit[]}): void;
	move(distance: number): void;
	scroll(distance: number, lastTop: number): void;
	/** Goes to the review, or back to the rules. `origin`: the screen that opened the review. */
	toStep(step: ManagedState['step'], origin?: ManagedState['reviewOrigin']): void;
	/** Switches the review between request and `curl` line. */
	toggleView(): void;
	readonly wasVisibleLongEnough: ReviewTimer['wasVisibleLongEnough'];
	/** Leaves the screen; keeps the changes as a draft, or discards them. */
	leave(mode: 'keep' | 'discard'): void;
};

/** Describes edits in sentences, after their number if there are several. */
function describeAppliedEdits(edits: readonly AppliedEdit[], {activeRules}: ManagedState): string {
	const sentences = edits.map(({edit, before}) => describeEdit(edit, before, activeRules?.catalogue));
	return [...(edits.length > 1 ? [`${formatQuantity(edits.length, 'change')}.`] : []), ...sentences].join(
		' ',
	);
}

/** The active managed rules: read, edited locally, reviewed, sent with one call. */
export const createManagedSlice: Slice<ManagedSlice> = (set, get, ports) => {
	const change = (part: Partial<ManagedState>) =>
		set(({data: managed}) => (managed ? {data: {...managed, ...part}} : {}));

	const reader = createReader(() => get().managed.data ?? emptyList, change);
	let lastId = 0;
	const timer = createReviewTimer(get, ports);

	/** Returns the state with these edits and the resulting proposal. Restarts the review timer. */
	function withEdits(
		managed: ManagedState,
		activeRules: ManagedRulesState,
		edits: readonly AppliedEdit[],
		configuration: ManagedConfiguration,
	): ManagedState {
		timer.restart();
		const proposal =
			edits.length > 0 ? proposeConfiguration(activeRules, configuration, {allowUnknown: true}) : undefined;
		return {
			...managed,
			activeRules,
			edits,
			configuration,
			proposal,
			step: proposal ? managed.step : 'rules',
			cursor: followEditRow(managed.configuration, configuration, managed.cursor),
		};
	}

	/**
	 * Shows the current rules with these edits, based on `editedFrom`. Returns the edits that were dropped.
	 */
	function showCurrentRules(
		activeRules: ManagedRulesState,
		otherState: Partial<ManagedState>,
		originalEdits: readonly AppliedEdit[],
		editedFrom = originalEdits[0]?.before,
	): readonly string[] {
		const managed = get().managed.data;
		if (!managed) return [];
		reader.forget();
		const {
			edits,
			configuration,
			lostEdits: droppedEdits,
		} = rebaseEdits(originalEdits, activeRules.configuration);
		const nextState = {...managed, reading: 'read' as const, failure: undefined, ...otherState, editedFrom};
		set({data: withEdits(nextState, activeRules, edits, configuration)});
		return droppedEdits;
	}

	const describeDroppedEdits = (droppedEdits: readonly string[]): string =>
		`Dropped because someone else changed these rules: ${droppedEdits.join(' ')}`;

	/** Shows other edits, and clears the obstacle of the previous ones. */
	function showEdits(edits: readonly AppliedEdit[], configuration: ManagedConfiguration): void {
		const managed = get().managed.data;
		if (!managed?.activeRules) return;
		set({
			data: withEdits(
				{...managed, obstacle: undefined, top: 0, ...(edits.length === 0 && {editedFrom: undefined})},
				managed.activeRules,
				edits,
				configuration,
			),
		});
	}

	return {
		data: undefined,
		open(chosenZone) {
			const managed = get().managed.data;
			const zone = {...chosenZone, sessionOptions: formatSessionOptions(ports.session.options)};
			if (managed?.zone.id === zone.id) return change({zone});
			if (managed) get().drafts.release(getManagedFormId(managed));
			reader.forget();
			set({data: createManagedState(++lastId, zone)});
		},
		async load(signal) {
			const managed = get().managed.data;
			if (!managed) return;
			await reader.read(
				signal,
				async () => readManagedState(await ports.session.client(), toManagedZone(managed.zone), signal),
				activeRules => {
					const {edits, editedFrom} = get().managed.data ?? managed;
					const droppedEdits = showCurrentRules(
						activeRules,
						{},
						edits,
						edits.length > 0 ? editedFrom : undefined,
					);
					if (droppedEdits.length > 0) get().messages.warn(describeDroppedEdits(droppedEdits));
				},
			);
		},
		async read() {
			const managed = get().managed.data;
			const {run} = get().work;
			const isRead = await run(`loading managed rules of ${managed?.zone.name ?? ''}`, 'read', signal =>
				get().managed.load(signal),
			);
			if (isRead) void get().managed.readRise();
			return isRead;
		},
		offerDraft() {
			const managed = get().managed.data;
			if (!managed || hasUnsentEdits(managed) || managed.activeRules?.readOnlyReason) return;
			if (get().dialog.current || getCurrentScreen(get()) !== 'managed') return;
			get().drafts.offerAll({kind: 'managed rules', zone: managed.zone.id}, () => {});
		},
		async readAndOfferDraft() {
			if (await get().managed.read()) get().managed.offerDraft();
		},
		async readRise() {
			const managed = get().managed.data;
			const {run} = get().work;
			if (!managed) return;
			const {id, zone} = managed;
			await run(`loading security events of ${zone.name}`, 'background', async signal => {
				const {readZoneRise} = await import('./rise.ts');
				const rise = await readZoneRise(
					await ports.session.client(),
					ports.session,
					toManagedZone(zone),
					signal,
				);
				if (get().managed.data?.id === id) change({rise});
			});
		},
		show(zoneId, ruleset, otherState, isOwn) {
			const managed = get().managed.data;
			if (managed?.zone.id !== zoneId || !managed.activeRules) return [];
			const configuration = toConfiguration(ruleset);
			const updatedRules = {
				...managed.activeRules,
				ruleset,
				configuration,
				fingerprint: computeFingerprint(configuration),
			};
			// After our own write, the remaining edits are based on its result.
			const editedFrom = isOwn ? configuration : managed.editedFrom;
			return showCurrentRules(updatedRules, otherState, otherState.edits ?? managed.edits, editedFrom);
		},
		markStale() {
			const managed = get().managed.data;
			if (managed && hasLoaded(managed)) change({reading: 'stale'});
		},
		getEditor() {
			const managed = get().managed.data;
			if (!managed?.activeRules) return undefined;
			const {configuration, activeRules, cursor, unfinished} = managed;
			return {
				configuration,
				initialConfiguration: activeRules.configuration,
				catalogue: activeRules.catalogue,
				plan: activeRules.zone.plan,
				cursor,
				unfinished,
				listPreviousRules: () => [],
				apply: edit => get().managed.applyEdit(edit),
				move: distance => get().managed.move(distance),
				forgetUnfinished: () => change({unfinished: undefined}),
			};
		},
		applyEdit: edit => void get().managed.applyEdits([edit]),
		applyEdits(edits) {
			const editor = get().managed.getEditor();
			const managed = get().managed.data;
			if (!editor || !managed) return false;
			const action = ++lastId;
			const applied: AppliedEdit[] = [];
			let {configuration} = editor;
			try {
				for (const edit of edits) {
					const editedConfiguration = withEdit({...editor, configuration}, edit);
					if (!editedConfiguration) continue;
					applied.push({edit, before: configuration, action});
					configuration = editedConfiguration;
				}
			} catch (error) {
				get().messages.fail(toFailure(error));
				return false;
			}
			if (applied.length > 0) showEdits([...managed.edits, ...applied], configuration);
			get().messages.say(
				applied.length > 0 ? `Unsent change: ${describeAppliedEdits(applied, managed)}` : 'No change.',
			);
			return true;
		},
		undoEdit() {
			const managed = get().managed.data;
			const undone = managed ? getLastEdits(managed) : [];
			const [firstEdit] = undone;
			if (!managed || !firstEdit) return;
			showEdits(managed.edits.slice(0, -undone.length), firstEdit.before);
			get().messages.say(`Undone: ${describeAppliedEdits(undone, managed)}`);
		},
		resumeEdits({edits, unfinished}) {
			const managed = get().managed.data;
			if (!managed?.activeRules) return;
			const droppedEdits = showCurrentRules(
				managed.activeRules,
				{unfinished, cursor: 0, top: 0, step: 'rules'},
				edits,
			);
			if (droppedEdits.length > 0) get().messages.warn(describeDroppedEdits(droppedEdits));
			else if (unfinished)
				get().messages.say(
					`Your changes were restored; press ${nameKey('managed.edit-exception', 'a')} to finish the exception.`,
				);
		},
		move(distance) {
			const managed = get().managed.data;
			if (!managed) return;
			change({
				cursor: moveCursor(managed.cursor, distance, buildEditRows(managed.configuration).length),
				top: 0,
			});
		},
		scroll(distance, lastTop) {
			const managed = get().managed.data;
			if (managed) change({top: Math.max(0, Math.min(lastTop, managed.top + distance))});
		},
		toStep(step, reviewOrigin) {
			const managed = get().managed.data;
			if (!managed || (step === 'review' && !managed.proposal)) return;
			timer.restart();
			change({step, reviewOrigin, shows: 'requests', top: 0, obstacle: undefined});
		},
		toggleView() {
			const managed = get().managed.data;
			if (managed) change({shows: managed.shows === 'curl' ? 'requests' : 'curl', top: 0});
		},
		wasVisibleLongEnough: timer.wasVisibleLongEnough,
		leave(mode) {
			const managed = get().managed.data;
			const {back} = get().navigation;
			get().work.cancelReads();
			if (managed && mode === 'keep') get().drafts.release(getManagedFormId(managed));
			if (managed?.activeRules) {
				const {activeRules} = managed;
				set({
					data: {
						...withEdits(managed, activeRules, [], activeRules.configuration),
						id: ++lastId,
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
