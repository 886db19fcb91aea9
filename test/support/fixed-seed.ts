// What fast-check draws is the same in every run, for all property tests. Loading it takes 50 ms, and in the projects
// whose files have processes of their own only few need it: those that import it, since only they can call it.
import {readFileSync} from 'node:fs';
import {expect} from 'vitest';
import {getTestSeed} from './seed.ts';

const {testPath = ''} = expect.getState();
if (readFileSync(testPath, 'utf8').includes("from 'fast-check'")) {
	const {default: fc} = await import('fast-check');
	fc.configureGlobal({...fc.readConfigureGlobal(), seed: getTestSeed()});
}
