import {createInterruptedFailure, Failure, toFailure} from '../../failure.ts';
import type {OldRulesPlan} from '../../firewall/export/delete-old.ts';
import {createKeptRulesFailure, type KeptRule} from '../../firewall/export/kept-rules.ts';
import {
	type DeletionPlan,
	describeFilterAfterDeletion,
	getDeletionFailure,
} from '../../firewall/rules/delete-rule.ts';
import {formatSessionOptions} from '../../session/qualify-commands.ts';
import type {Slice} from '../../store/slice.ts';
import {formatQuantity} from '../../text/figures.ts';
import type {OpenedZone} from '../firewall/state.ts';
import {toWritePlace} from '../firewall/writes.ts';
import {moveCursor} from '../list/list.ts';
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
	open(zone: OpenedZone, source: MergeSource): void;
	/** Reads the source rules and the existing custom rules. */
	load(signal: AbortSignal): Promise<void>;
	move(by: number): void;
	/** Places the new rules before an existing one, or last. */
	place(before: string | undefined): void;
	show(part: Partial<Pick<MergeState, 'step' | 'shows' | 'top'>>): void;
	/**
	 * Sends what the review shows, with one call. Fails with `changed_meanwhile` if the rules have changed
	 * since.
	 */
	send(reviewed: ReadyMerge, signal: AbortSignal): Promise<void>;
	/** Reads which firewall rules can be deleted, and shows the review. */
	reviewOldRules(signal: AbortSignal): Promise<void>;
	/**
	 * Deletes the reviewed rules in sequence; keeps those that changed since, and stops at the first failure.
	 */
	deleteOldRules(reviewed: OldRulesPlan, signal: AbortSignal): Promise<void>;
};

export const createMergeSlice: Slice<MergeSlice> = (set, get, {session}) => {
	const change = (part: Partial<MergeState>) =>
		set(({data: merge}) => (merge ? {data: {...merge, ...part}} : {}));

	/** Number of the latest read; results of earlier reads are ignored. */
	let latestReading = 0;

	async function readSourceRules({zone, source}: MergeState, signal: AbortSignal): Promise<SourceRules> {
		if (source.kind === 'file') {
			const [{readInputFile}, {parseRulesExport}] = await Promise.all([
				import('../../session/input-file.ts'),
				import('../../firewall/export/read-export.ts'),
			]);
			const bytes = await readInputFile(source.path, signal);
			return {...parseRulesExport(bytes, `The file ${source.path}`), old: []};
		}
		const {toCustomRules} = await import('../../firewall/rules/custom-rule.ts');
		const old = await readFirewallRules(zone, signal);
		return {...toCustomRules(old), old};
	}

	async function readFirewallRules(zone: OpenedZone, signal: AbortSignal) {
		const {listFirewallRules} = await import('../../firewall/rules/rules.ts');
		return Array.fromAsync(listFirewallRules(await session.client(), zone.id, signal));
	}

	return {
		data: undefined,
		open(chosen, source) {
			const zone = {...chosen, way: formatSessionOptions(session.options)};
			latestReading++;
			set({
				data: {
					zone,
					source,
					reading: 'unread',
					made: undefined,
					before: undefined,
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
			const reading = ++latestReading;
			change({reading: 'reading', failure: undefined});
			try {
				const made = await readSourceRules(merge, signal);
				await get().customRules.load(signal);
				if (reading !== latestReading) return;
				change({made, reading: 'read', step: 'rules', top: 0, deletion: undefined});
				get().merge.move(0);
			} catch (error) {
				const failure = toFailure(error);
				const before = merge.made ? 'read' : 'unread';
				if (reading === latestReading)
					change(signal.aborted ? {reading: before} : {reading: merge.made ? 'read' : 'failed', failure});
				throw failure;
			}
		},
		move(by) {
			const state = get();
			const count = getReadyMerge(state)?.rows.length ?? 0;
			if (state.merge.data) change({cursor: moveCursor(state.merge.data.cursor, by, count)});
		},
		place(before) {
			change({before});
			const rows = getReadyMerge(get())?.rows ?? [];
			change({
				cursor: Math.max(
					0,
					rows.findIndex(({isNew}) => isNew),
				),
			});
		},
		show: change,
		async send(reviewed, signal) {
			const now = get();
			if (!now.merge.data || !isReviewed(reviewed, getReadyMerge(now)))
				throw new Failure('changed_meanwhile', 'The rules are no longer those of the review.', {
					left: 'Nothing was sent.',
					next: 'Look at the request again.',
				});
			const count = reviewed.merged.added.length;
			change({done: undefined});
			const what = `create ${formatQuantity(count, 'custom rule')}`;
			const made = await now.customRules.send(
				{
					plan: now.customRules.plan(reviewed.merged.rules),
					label: what,
					what,
					done: ({rules, version}) =>
						`Created ${formatQuantity(count, 'custom rule')}: ${rules.length} now, version ${version}.`,
					unknown: 'whether the custom rules were created',
				},
				undefined,
				signal,
			);
			if (made && get().merge.data?.zone.id === now.merge.data.zone.id)
				change({
					step: 'rules',
					top: 0,
					done: `Created ${formatQuantity(count, 'custom rule')}: ${made.rules.length} now, version ${made.version}.`,
				});
		},
		async reviewOldRules(signal) {
			const merge = get().merge.data;
			const why = getOldRulesObstacle(get());
			if (!merge?.made || why !== undefined) return;
			const {planOldRuleDeletion} = await import('../../firewall/export/delete-old.ts');
			const now = await readFirewallRules(merge.zone, signal);
			await get().customRules.load(signal);
			// The custom rules may have been deleted during this read.
			if (get().merge.data?.made !== merge.made || getOldRulesObstacle(get()) !== undefined) return;
			const existing = get().customRules.data?.ruleset?.rules ?? [];
			change({step: 'deletion', top: 0, deletion: planOldRuleDeletion(merge.made.old, now, existing)});
		},
		async deleteOldRules(reviewed, signal) {
			const merge = get().merge.data;
			if (!merge || merge.deletion !== reviewed) return;
			const {zone} = merge;
			const {plans} = reviewed;
			const what = `delete ${formatQuantity(plans.length, 'firewall rule')}`;
			session.refuseWhenReadOnly(what);
			const place = await session.permit(toWritePlace(zone), what);
			const [{deleteRule}, {deleteOldRules}, client] = await Promise.all([
				import('../../firewall/rules/delete-rule.ts'),
				import('../../firewall/export/delete-old.ts'),
				session.client(),
			]);
			const remove = (plan: DeletionPlan) =>
				session.auditWrites(
					place,
					({onSend, onWrite}) =>
						deleteRule(client, zone, plan, {
							signal,
							onStep: step =>
								onSend(
									step === 'rule' ? `delete rule ${plan.rule.id}` : `delete filter ${plan.rule.filter.id}`,
								),
							onWrite,
						}),
					getDeletionFailure,
				);
			const filters: string[] = [];
			const kept: KeptRule[] = [];
			let gone = 0;
			change({gone});
			try {
				for await (const result of deleteOldRules(client, zone.id, reviewed, {signal, remove})) {
					if (result.state === 'kept') kept.push(result);
					if (result.state !== 'tried') continue;
					const {rule, deletion} = result;
					if (deletion.state !== 'deleted') throw deletion.failure;
					change({gone: ++gone});
					if (deletion.filter.state === 'kept, refused')
						filters.push(describeFilterAfterDeletion(rule, deletion.filter));
				}
			} catch (error) {
				throw withProgress(
					signal.aborted ? createInterruptedFailure() : toFailure(error),
					gone,
					plans.length,
				);
			} finally {
				await refreshAfterDeletion(zone);
			}
			const done = [`Deleted ${formatQuantity(gone, 'firewall rule')} of ${zone.name}.`, ...filters].join(
				' ',
			);
			if (get().merge.data?.zone.id === zone.id) change({done});
			if (kept.length === 0) return get().messages.say(done);
			const failure = createKeptRulesFailure(zone, kept, gone);
			if (get().merge.data?.zone.id === zone.id) change({failure});
			throw failure;
		},
	};

	/** Refreshes the remaining firewall rules, here and in their list. */
	async function refreshAfterDeletion(zone: OpenedZone): Promise<void> {
		if (get().firewall.data?.zone.id === zone.id) {
			get().firewall.markStale();
			void get().work.run('reading the rules', 'background', innerSignal => get().firewall.load(innerSignal));
		}
		const isStillOpen = () => get().merge.data?.zone.id === zone.id;
		if (!isStillOpen()) return;
		const isRead = await get().work.run('reading the firewall rules', 'background', async innerSignal => {
			const [old, {toCustomRules}] = await Promise.all([
				readFirewallRules(zone, innerSignal),
				import('../../firewall/rules/custom-rule.ts'),
			]);
			if (isStillOpen()) change({made: {...toCustomRules(old), old}});
		});
		// Rules that may be deleted are not shown as existing.
		const unread = {made: undefined, reading: 'unread'} as const;
		const review = {step: 'rules', top: 0, deletion: undefined, gone: undefined} as const;
		if (isStillOpen()) change({...review, ...(!isRead && unread)});
	}
};

/** Adds the progress to a failure, if several rules were to be deleted. */
const withProgress = (failure: Failure, gone: number, of: number): Failure =>
	of === 1
		? failure
		: failure.withDetails({
				left: [
					failure.details.left,
					`${gone} of ${of} firewall rules are deleted; the others were not tried.`,
				]
					.filter(Boolean)
					.join('\n'),
			});
