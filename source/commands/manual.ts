import {Argument} from 'commander';
import {exitCodes} from '../failure.ts';
import {buildManPages, manPageAreas} from '../manual/pages.ts';
import {renderManPage} from '../manual/readable-page.ts';
import {createSwitchOption, defineCommand} from './shell/declare.ts';

/** Maximum width of the manual, in columns, for readability. */
const maxColumns = 100;

/** `ledge man`: the man pages, for systems where `man` is missing or cannot find them. */
export const manualCommand = defineCommand({
	usage: 'man',
	summary: 'print the manual, or the page of one area',
	example: 'man kv | less',
	argument: () => new Argument('[area]', 'page to print').choices(manPageAreas),
	isOffline: true,
	sampleArguments: 'kv',
	options: () => [
		createSwitchOption('--roff', 'print the roff source for `man`: `ledge man --roff > ledge.1`'),
	],
	toleratesInvalidContexts: true,
	async run({output}, {roff}, area) {
		const {createProgram} = await import('./program.ts');
		const pages = buildManPages({...(await createProgram()), version: LEDGE_VERSION, exitCodes});
		const page = pages[area === undefined ? 'ledge.1' : `ledge-${area}.1`] ?? '';
		await output.writeText(roff ? page : renderManPage(page, Math.min(output.columns, maxColumns)));
	},
});
