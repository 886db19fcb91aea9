import {expect, test} from 'vitest';
import {readManagedContents} from '../../../source/migration/zone/managed-contents.ts';
import {failureOf} from '../../kv/support/workspace.ts';
import {buildEnvelope, neverAbortedSignal} from '../../service/scripted-transport.ts';
import {createZoneClient, zone} from '../support/answers.ts';

test('a list of rulesets shorter than its count is malformed', async () => {
	const list = () => buildEnvelope([], {result_info: {count: 2, cursor: ''}});
	const {client} = createZoneClient({'GET /rulesets': list});
	const failure = await failureOf(readManagedContents(client, zone.id, neverAbortedSignal));
	expect(failure).toMatchObject({
		code: 'answer_malformed',
		details: {why: 'Its count is 2, but it contains 0.'},
	});
});
