import {expect, test} from 'vitest';
import {goToNamespaces} from '../../screens/support/sample-ways.ts';
import {serveSimulator} from '../../support/serve-simulator.ts';
import {openScreen} from '../screen/open.ts';

/** The cursor on the hit in an article. */
const cursorOnArticle = (article: string): RegExp => new RegExp(`▸ audio/article:${article} +line 1`);

test('a search of 10,000 values lists hits as it goes, stops and continues, and a hit opens at its place', async () => {
	const service = await serveSimulator();
	const screen = await openScreen([], {env: service.env});
	await screen.waitFor(/Account +Acme/);
	await goToNamespaces(screen);
	screen.press('/');
	screen.type('catalogue');
	screen.press('enter');
	await screen.waitFor(() => screen.selectedRow().text.includes('catalogue'));
	screen.press('enter');
	await screen.waitFor(/1,000\+ keys/);
	// The service responds for 2,000 keys, and then no more.
	await service.setFaults('hang path=/bulk/get after=20');
	screen.press('f');
	await screen.waitFor('The keys under audio/article:');
	screen.press('enter');
	await screen.waitFor('In the values of keys under audio/article: of catalogue.');
	screen.type('"STOCK":31}');
	await screen.waitFor('"STOCK":31}');
	screen.press('enter');
	await screen.waitFor(/4 hits in 4 keys · [\d,]+ keys searched.*esc stops/);
	await screen.waitFor(cursorOnArticle('00001'));
	screen.press('j');
	await screen.waitFor(cursorOnArticle('00501'));
	screen.press('esc');
	await screen.waitFor(/stopped: 4 hits in 4 keys · [\d,]+ keys searched/);

	await service.setFaults('');
	screen.press('ctrl-l');
	await screen.waitFor('20 hits in 20 keys · all 10,000 keys searched');
	screen.press('G');
	await screen.waitFor(cursorOnArticle('09501'));
	screen.press('k');
	await screen.waitFor(cursorOnArticle('09001'));
	screen.press('enter');
	await screen.waitFor(/▸ +"stock": 31/);
	expect(screen.text()).toContain('n next');
	screen.press('esc');
	await screen.waitFor(cursorOnArticle('09001'));
	screen.press('esc');
	await screen.waitFor('NAME');
	expect(screen.text()).not.toContain('search ›');
});
