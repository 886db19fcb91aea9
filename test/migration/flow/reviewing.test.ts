import {expect, test} from 'vitest';
import {createFlow} from '../../../source/migration/flow/flow.ts';
import {pickLaterReview} from '../../../source/migration/flow/reviewing.ts';
import {createMemoryJournal} from '../../../source/migration/journal/journal.ts';
import type {ConfigurationReview} from '../../../source/migration/journal/record.ts';
import {neverAbortedSignal} from '../../service/scripted-transport.ts';
import {createFakeZone, createReviewBasis, editedProposal, zone} from '../support/fake-zone.ts';

const createReview = (time: number): ConfigurationReview => ({
	fingerprint: 'f',
	proposed: undefined,
	rules: 1,
	at: time,
});
const now = 1000;

test.each([
	['nothing was reviewed and nothing shown', undefined, undefined, undefined],
	['it was reviewed only', createReview(1), undefined, 'known'],
	['it was shown only', undefined, createReview(1), 'shown'],
	['it was reviewed after it was shown', createReview(2), createReview(1), 'known'],
	['it was shown after it was reviewed', createReview(1), createReview(2), 'shown'],
	['the clock was ahead when it was reviewed', createReview(now + 1), createReview(1), 'shown'],
	['the clock was ahead when it was shown', createReview(1), createReview(now + 1), 'shown'],
] as const)('if %s, the later review that is not in the future is picked', (_what, known, plan, expectedReview) => {
	expect(pickLaterReview(known, plan, now)).toBe({known, shown: plan}[expectedReview ?? 'known']);
});

test('a configuration shown earlier keeps its time when it is reviewed', async () => {
	const service = createFakeZone();
	const flow = createFlow({
		client: service.client,
		zone,
		journal: createMemoryJournal({place: 'simulated', zone}),
	});
	await flow.observe({signal: neverAbortedSignal});
	await flow.review(editedProposal, {...createReviewBasis(flow), at: 7}, 'pending');
	expect(flow.record.reviewed?.at).toBe(7);
});

test('a PUT sent while the clock was ahead can still be repeated', async () => {
	const service = createFakeZone();
	const {clock} = service.client;
	const put = {
		mode: 'pending',
		fingerprint: 'f',
		at: clock.now() + 365 * 24 * 3_600_000,
		before: {stage: 'previous', version: undefined, fingerprint: undefined},
		came: 'accepted',
	} as const;
	const flow = createFlow({
		client: service.client,
		zone,
		journal: createMemoryJournal({place: 'simulated', zone}, {state: 'finishing', goal: 'pending', put}),
	});
	await flow.observe({signal: neverAbortedSignal});
	expect(flow.record.state).toBe('finishing');
	await flow.takeOver({signal: neverAbortedSignal}, await flow.readDrift({signal: neverAbortedSignal}));
	expect(flow.record.state).toBe('eligible');
});
