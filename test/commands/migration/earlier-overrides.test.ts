import {expect, test} from 'vitest';
import {buildOverride, createMigratingZone} from '../../support/migration.ts';

const parts = {plan: 'enterprise', overrides: [buildOverride('de677e5818985db1285d0e80225f06e5')]} as const;

test('overrides from an earlier backup stay in the plan as unknown if they cannot be read now', async () => {
	const zone = await createMigratingZone(parts);
	await zone.run(['backup']);
	zone.setFaults('method=GET path=firewall/waf/overrides status=403 code=10000');
	const {stdout, stderr} = await zone.run(['plan']);
	const text = `${stdout}${stderr}`.replace(/\s+/g, ' ');
	expect(text).toContain('override de67');
	expect(text).toContain('It may still exist (URI overrides: not allowed to read).');
	expect(text).not.toContain('It was deleted; the backup contains it.');
});
