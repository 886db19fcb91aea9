import {createInterruptedFailure, Failure, toFailure} from '../../failure.ts';
import {createKeptRulesFailure, type KeptRule} from '../../firewall/export/kept-rules.ts';
import type {OldRulesPlan} from '../../firewall/export/replaced-rules.ts';
import {
	type DeletionPlan,
	describeFilterAfterDeletion,
	getDeletionFailure,
} from '../../firewall/rules/delete-rule.ts';
import {formatSessionOptions} from '../../session/qualify-commands.ts';
import type {Slice} from '../../store/slice.ts';
import {formatQuantity} from '../../text/figures.ts';
import {hasRuleEnded} from '../firewall/list.ts';
import {toWritePlace} from '../firewall/write-runner.ts';
import {createReader, emptyList, moveCursor} from '../list/list.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';
import {createReviewTimer} from '../write-flow/review-timer.ts';
import {
	getOldRulesObstacle,
	getReadyMerge,
	isReviewed,
	type MergeSource,
	type MergeState,
	type ReadyMerge,
	type SourceRules,
} from './state.ts';

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly merge: MergeSlice;
	}
}

type MergeSlice = {
	readonly data: MergeState | undefined;
	/** Opens a zone and a source of rules. Drops what was read before. */
	open(zone: ZoneWithLabel, source: MergeSource): void;
	/** Reads the source rules and the existing custom rules. */
	load(signal: AbortSignal): Promise<void>;
	move(distance: number): void;
	/** Places the new rules before an existing one, or last. */
	placeNewRules(nextRuleId: string | undefined): void;
	show(part: Partial<Pick<MergeState, 'step' | 'shows' | 'top'>>): void;
	/** Notices what a review shows, to measure how long it has been visible unchanged. */
	noticeDrawn(): void;
	/** True if there was time to read the review; warns if there was not. */
	wasVisibleLongEnough(): boolean;
	/**
	 * Sends what the review shows, with one call. Fails with `changed_meanwhile` if the rules have changed
	 * since.
	 */
	send(reviewedMerge: ReadyMerge, signal: AbortSignal): Promise<void>;
	/** Reads which firewall rules can be deleted, and shows the review. */
	reviewOldRules(signal: AbortSignal): Promise<void>;
	/**
	 * Deletes the reviewed rules in sequence; keeps those that changed since, and stops at the first failure.
	 */
	deleteOldRules(reviewedPlan: OldRulesPlan, signal: AbortSignal): Promise<void>;
};

export const createMergeSlice: Slice<MergeSlice> = (set, get, ports) => {
	const {session} = ports;
	const timer = createReviewTimer(get, ports);

	function noticeDrawn(): void {
		const {merge, customRules} = get();
		const {step, sourceRules, nextRuleId, deletion} = merge.data ?? {};
		timer.noticeDrawn([step, sourceRules, nextRuleId, deletion, customRules.data?.ruleset]);
	}

	const change = (part: Partial<MergeState>) =>
		set(({data: merge}) => (merge ? {data: {...merge, ...part}} : {}));

	const reader = createReader(
		() => get().merge.data ?? emptyList,
		part => change({failure: undefined, ...part}),
	);

	async function readSourceRules({zone, source}: MergeState, signal: AbortSignal): Promise<SourceRules> {
		const {omitEndedRules} = await import('../../firewall/export/ended-rules.ts');
		if (source.kind === 'file') {
			const [{readInputFile}, {parseRulesExport}] = await Promise.all([
				import('../../session/input-file.ts'),
				import('../../firewall/export/read-export.ts'),
			]);
			const bytes = await readInputFile(source.path, signal);
			return {...omitEndedRules(parseRulesExport(bytes, `The file ${source.path}`)), firewallRules: []};
		}
		const {toCustomRules} = await import('../../firewall/rules/custom-rule.ts');
		const {ruleIds} = source;
		const firewallRules = (await readFirewallRules(zone, signal)).filter(
			({id}) => ruleIds?.includes(id) ?? true,
		);
		return {
			...omitEndedRules(toCustomRules(firewallRules)),
			firewallRules: firewallRules.filter(rule => !hasRuleEnded(rule)),
		};
	}

	async function readFirewallRules(zone: ZoneWithLabel, signal: AbortSignal) {
		const {listFirewallRules} = await import('../../firewall/rules/rules.ts');
		return Array.fromAsync(listFirewallRules(await session.client(), zone.id, signal));
	}

	return {
		data: undefined,
		open(chosenZone, source) {
			const zone = {...chosenZone, sessionOptions: formatSessionOptions(session.options)};
			reader.forget();
			set({
				data: {
					zone,
					source,
					reading: 'unread',
					sourceRules: undefined,
					nextRuleId: undefined,
					step: 'rules',
					shows: 'requests',
					cursor: 0,
					top: 0,
				},
			});
			get().customRules.open(zone);
		},
		async load(signal) {
			const merge = get().merge.data;
			if (!merge) return;
			await reader.read(
				signal,
				async () => {
					const sourceRules = await readSourceRules(merge, signal);
					await get().customRules.load(signal);
					return sourceRules;
				},
				sourceRules => {
					change({sourceRules, reading: 'read', step: 'rules', top: 0, deletion: undefined});
					get().merge.move(0);
				},
			);
		},
		move(distance) {
			const state = get();
			const count = getReadyMerge(state)?.rows.length ?? 0;
			if (state.merge.data) change({cursor: moveCursor(state.merge.data.cursor, distance, count)});
		},
		placeNewRules(nextRuleId) {
			change({nextRuleId});
			const rows = getReadyMerge(get())?.rows ?? [];
			change({
				cursor: Math.max(
					0,
					rows.findIndex(({isNew}) => isNew),
				),
			});
		},
		show(part) {
			change(part);
			noticeDrawn();
		},
		noticeDrawn,
		wasVisibleLongEnough() {
			noticeDrawn();
			return timer.wasVisibleLongEnough();
		},
		async send(reviewedMerge, signal) {
			const currentState = get();
			if (!currentState.merge.data || !isReviewed(reviewedMerge, getReadyMerge(currentState)))
				throw new Failure('changed_meanwhile', 'The rules have changed since the review.', {
					left: 'Nothing was sent.',
					next: 'Review the request again.',
				});
			const count = reviewedMerge.result.addedRules.length;
			change({lastResult: undefined});
			const auditLabel = `create ${formatQuantity(count, 'custom rule')}`;
			const newRuleset = await currentState.customRules.send(
				{
					plan: currentState.customRules.plan(reviewedMerge.result.rules),
					label: auditLabel,
					auditLabel,
					describeEffect: ({rules, version}) =>
						`Created ${formatQuantity(count, 'custom rule')}: ${rules.length} in total, version ${version}.`,
					unknownOutcome: 'whether the custom rules were created',
				},
				undefined,
				signal,
			);
			if (newRuleset && get().merge.data?.zone.id === currentState.merge.data.zone.id)
				change({
					step: 'rules',
					top: 0,
					lastResult: `Created ${formatQuantity(count, 'custom rule')}: ${newRuleset.rules.length} in total, version ${newRuleset.version}.`,
				});
		},
		async reviewOldRules(signal) {
			const merge = get().merge.data;
			const obstacle = getOldRulesObstacle(get());
			if (!merge?.sourceRules || obstacle !== undefined) return;
			const {planOldRuleDeletion} = await import('../../firewall/export/replaced-rules.ts');
			const currentRules = await readFirewallRules(merge.zone, signal);
			await get().customRules.load(signal);
			// The custom rules may have been deleted during this read.
			if (get().merge.data?.sourceRules !== merge.sourceRules || getOldRulesObstacle(get()) !== undefined)
				return;
			const existingRules = get().customRules.data?.ruleset?.rules ?? [];
			change({
				step: 'deletion',
				top: 0,
				deletion: planOldRuleDeletion(merge.sourceRules.firewallRules, currentRules, existingRules),
			});
			noticeDrawn();
		},
		async deleteOldRules(reviewedPlan, signal) {
			const merge = get().merge.data;
			if (!merge || merge.deletion !== reviewedPlan) return;
			const {zone} = merge;
			const {deletionPlans} = reviewedPlan;
			const auditLabel = `delete ${formatQuantity(deletionPlans.length, 'firewall rule')}`;
			session.refuseWhenReadOnly(auditLabel);
			const writePlace = await session.permit(toWritePlace(zone), auditLabel);
			const [{deleteRule}, {deleteOldRules}, client] = await Promise.all([
				import('../../firewall/rules/delete-rule.ts'),
				import('../../firewall/export/replaced-rules.ts'),
				session.client(),
			]);
			const remove = (plan: DeletionPlan) =>
				session.auditWrites(
					writePlace,
					({onSend, onWritten}) =>
						deleteRule(client, zone, plan, {
							signal,
							onStep: step =>
								onSend(
									step === 'rule' ? `delete rule ${plan.rule.id}` : `delete filter ${plan.rule.filter.id}`,
								),
							onWritten,
						}),
					getDeletionFailure,
				);
			const filterNotes: string[] = [];
			const keptRules: KeptRule[] = [];
			let deletedCount = 0;
			change({deletedCount});
			try {
				for await (const result of deleteOldRules(client, zone.id, reviewedPlan, {signal, remove})) {
					if (result.state === 'kept') keptRules.push(result);
					if (result.state !== 'tried') continue;
					const {rule, deletion} = result;
					if (deletion.state !== 'deleted') throw deletion.failure;
					change({deletedCount: ++deletedCount});
					if (deletion.filter.state === 'kept, refused')
						filterNotes.push(describeFilterAfterDeletion(rule, deletion.filter));
				}
			} catch (error) {
				throw withProgress(
					signal.aborted ? createInterruptedFailure() : toFailure(error),
					deletedCount,
					deletionPlans.length,
				);
			} finally {
				if (deletedCount > 0)
					get().firewall.noteIrreversibleChange(
						zone,
						`the ${formatQuantity(deletedCount, 'deleted firewall rule')} ${deletedCount === 1 ? 'is a custom rule' : 'are custom rules'} now`,
					);
				await refreshAfterDeletion(zone);
			}
			const summary = [
				`Deleted ${formatQuantity(deletedCount, 'firewall rule')} from ${zone.name}.`,
				...filterNotes,
			].join(' ');
			if (get().merge.data?.zone.id === zone.id) change({lastResult: summary});
			if (keptRules.length === 0) return get().messages.say(summary);
			const failure = createKeptRulesFailure(zone, keptRules, deletedCount);
			if (get().merge.data?.zone.id === zone.id) change({failure});
			throw failure;
		},
	};

	/** Refreshes the remaining firewall rules, here and in their list. */
	async function refreshAfterDeletion(zone: ZoneWithLabel): Promise<void> {
		if (get().firewall.data?.zone.id === zone.id) {
			get().firewall.markStale();
			void get().work.run('loading the rules', 'background', innerSignal => get().firewall.load(innerSignal));
		}
		const isStillOpen = () => get().merge.data?.zone.id === zone.id;
		if (!isStillOpen()) return;
		const isRead = await get().work.run('loading the firewall rules', 'background', async innerSignal => {
			const merge = get().merge.data;
			const sourceRules = merge && (await readSourceRules(merge, innerSignal));
			if (isStillOpen()) change({sourceRules});
		});
		// Rules that may have been deleted are not shown as existing.
		const unread = {sourceRules: undefined, reading: 'unread'} as const;
		const resetReview = {step: 'rules', top: 0, deletion: undefined, deletedCount: undefined} as const;
		if (isStillOpen()) change({...resetReview, ...(!isRead && unread)});
	}
};

/** Adds the progress to a failure, if several rules were to be deleted. */
const withProgress = (failure: Failure, deletedCount: number, totalCount: number): Failure =>
	totalCount === 1
		? failure
		: failure.withDetails({
				left: [
					failure.details.left,
					`${deletedCount} of ${totalCount} firewall rules were deleted; the others were not tried.`,
				]
					.filter(Boolean)
					.join('\n'),
			});
