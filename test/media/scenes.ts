import {minReviewMs} from '../../source/screens/write-flow/review-timer.ts';
import {insight} from './insight.ts';
import {type Scene, simulatedStart} from './scene.ts';
import {themeScenes} from './theme-scenes.ts';

/** A line of an export. */
const formatExportLine = (key: string, value: unknown, metadata?: unknown): string =>
	JSON.stringify({key, value: typeof value === 'string' ? value : JSON.stringify(value, null, 2), metadata});

/** An older export of the simulated namespace CONFIG. */
const mondaysExport = [
	formatExportLine('banner', 'Back at nine.', {by: 'support'}),
	formatExportLine(
		'features',
		{checkout: {express: true, guests: true}, search: {engine: 'v2', percent: 10}, reviews: false},
		{version: 203},
	),
	formatExportLine('limits/api', {anonymous: 30, member: 300, partner: 6000}),
	formatExportLine('limits/upload', '26214400'),
	formatExportLine('maintenance', 'off'),
	formatExportLine('redirects', [
		{from: '/sale', to: '/offers', status: 301},
		{from: '/jobs', to: 'https://work.acme.example/', status: 302},
	]),
	formatExportLine('robots.txt', 'User-agent: *\nDisallow: /cart\nDisallow: /account\n'),
	formatExportLine('secret/rotation', {next: '2031-01-01', days: 90}, {owner: 'security'}),
	formatExportLine(
		'site',
		{
			name: 'Acme Shop',
			locale: 'en-GB',
			currencies: ['EUR', 'GBP', 'USD'],
			support: {email: 'help@acme.example', hours: {from: '08:00', to: '18:00', zone: 'Europe/London'}},
		},
		{version: 14, by: 'deploy'},
	),
].join('\n');

/** A file of sessions that expire. */
const sessions = JSON.stringify(
	Array.from({length: 12_000}, (_, at) => ({
		key: `session:${String(at + 1).padStart(5, '0')}`,
		value: JSON.stringify({user: `user-${at % 977}`, seen: '2027-03-10'}),
		expiration_ttl: 86_400,
	})),
);

/** A file of contexts; no credential of theirs is read in a picture. */
const contexts = `context_in_use = "staging"

[contexts.shop]
account_id = "5e2b8d0c4f6a41c79b3d2e1f0a9c8b7d"
profile = "shop"
production = true
color = "magenta"

[contexts.blog]
account_id = "c41d7a9e05b84f2e8a6b93d17f20c5e8"
credential_command = ["op", "read", "op://blog/token"]
production = true

[contexts.staging]
account_id = "08f3b6a2d95c4e71a0b8c7d6e5f41923"
profile = "shop"
color = "green"
`;

export const scenes: readonly Scene[] = [
	{
		...simulatedStart,
		name: 'edit',
		columns: 80,
		rows: 20,
		files: {...simulatedStart.files, 'sessions.json': sessions},
		async play(screen, camera) {
			await screen.waitFor('Account');
			await camera.hold(1.6);
			screen.press('enter');
			await screen.waitFor(/catalogue .* 100,000 +[\d.]+ MB/);
			await camera.hold(1.2);
			screen.press('enter');
			await screen.waitFor('9 keys');
			await camera.hold(1.2);
			await camera.press(['/'], 0.5);
			await camera.type('api');
			await camera.press(['enter'], 0.8);
			await camera.press(['enter'], 1.2);
			await camera.press(['down', 'down'], 0.35);
			await camera.press(['e'], 0.8);
			await camera.press(['ctrl-u'], 0.3);
			await camera.type('900');
			await camera.hold(0.8);
			await camera.press(['ctrl-s'], 2.6);
			await screen.settled('y write the key', {quiet: minReviewMs + 100});
			screen.press('y');
			await screen.waitFor('Wrote');
			await camera.hold(1.6);
			await camera.press(['u'], 2);
			await screen.waitFor('Undone');
			await camera.hold(2);
			await camera.press(['esc'], 0.8);
			await camera.press(['B'], 1.2);
			await camera.press(['enter'], 0.6);
			await camera.type('ses');
			await camera.press(['tab'], 0.8);
			screen.press('enter');
			await screen.waitFor('Nothing has been sent.');
			await camera.hold(2.4);
			await screen.settled('Nothing has been sent.', {quiet: minReviewMs + 100});
			screen.press('y');
			await screen.waitFor('To continue, type');
			await camera.type('CONFIG');
			await camera.hold(0.8);
			screen.press('enter');
			await screen.waitFor('Wrote 12,000 keys');
			await camera.hold(2.8);
		},
	},
	{
		...simulatedStart,
		name: 'walk',
		columns: 80,
		rows: 24,
		async play(screen, camera) {
			await screen.waitFor('Account');
			await camera.hold(1.4);
			await camera.press([':'], 0.6);
			await camera.type('catalogue');
			await screen.waitFor('go to namespace: catalogue');
			await camera.hold(0.8);
			screen.press('enter');
			await screen.waitFor('00001');
			// What is shown before the last key was listed depends on the speed of the machine.
			screen.press('/');
			screen.type('04711');
			await screen.waitFor('10 of 100,000', {within: 30_000});
			await camera.hold(1.6);
			screen.press('enter', 'end', 'enter');
			await screen.waitFor('"stock"');
			await camera.hold(1);
			await camera.press(['down', 'down', 'down'], 0.3);
			await camera.press(['e', 'ctrl-u'], 0.4);
			await camera.type('40');
			screen.press('enter');
			await screen.settled('y write the key', {quiet: minReviewMs + 100});
			await camera.hold(2.2);
			screen.press('y');
			await screen.waitFor('Wrote');
			await camera.hold(1.4);
			await camera.press(['w'], 1.2);
			screen.press('enter');
			await screen.waitFor('toys_article_04711.json');
			await camera.hold(1.4);
			await camera.press(['D'], 1);
			await camera.press(['end'], 0.4);
			await camera.type('-copy');
			screen.press('enter');
			await screen.waitFor('Duplicated as');
			await camera.hold(1.4);
			screen.press('esc');
			await screen.waitFor('11 of 100,001');
			await camera.hold(1);
			await camera.press(['R'], 1);
			await camera.press(['end'], 0.4);
			await camera.type('2');
			screen.press('enter');
			await screen.waitFor('Renamed to');
			await camera.hold(1.6);
			await camera.press(['up', 'space', 'down', 'space'], 0.4);
			await camera.press(['d'], 1.4);
			screen.press('y');
			await screen.waitFor('Deleted 2 keys');
			await camera.hold(1.8);
			screen.press('u');
			await screen.waitFor('Restored 2 keys');
			await screen.waitFor('11 of 100,001', {within: 30_000});
			await camera.hold(2.6);
		},
	},
	{
		...simulatedStart,
		name: 'wide',
		columns: 160,
		rows: 30,
		async play(screen) {
			await screen.waitFor('Account');
			screen.press('enter');
			await screen.waitFor('SESSIONS');
			screen.press('enter');
			await screen.waitFor('limits/api');
			screen.press('end', 'up', 'up', 'space', 'down', 'space');
			await screen.waitFor('2 selected');
			await screen.waitFor('"next"');
			screen.press('d');
			await screen.waitFor('Delete 2 selected keys');
		},
	},
	{
		...simulatedStart,
		name: 'rule',
		columns: 80,
		rows: 24,
		programArguments: ['--simulate', '--zone', 'acme-shop.example'],
		async play(screen, camera) {
			await screen.waitFor('Account');
			screen.press('2');
			await screen.waitFor(/rule 1 of \d+/);
			await camera.hold(1.6);
			screen.press('a');
			await screen.waitFor('0 of 4,096 characters');
			await camera.hold(0.8);
			await camera.type('http.request.uri.path cont');
			await camera.press(['tab'], 0.6);
			await camera.type(' "/admin" and ip.src == 10.0.0.0/8');
			await camera.hold(1.6);
			await camera.press(['tab'], 1.6);
			await camera.press(['enter'], 0.8);
			await camera.press(['enter'], 0.8);
			await camera.type('15');
			await camera.hold(0.8);
			await camera.press(['enter'], 2.6);
			await screen.settled('exactly as', {quiet: minReviewMs + 100});
			screen.press('y');
			await screen.waitFor('created, on filter');
			await camera.hold(2.2);
			await screen.settled('created, on filter', {quiet: minReviewMs + 100});
			screen.press('enter');
			await screen.waitFor(/rule \d of \d/);
			await camera.hold(1);
			await camera.press(['!'], 1.4);
			await camera.type('198.51.100.0/24');
			await camera.hold(1.4);
			screen.press('enter');
			await screen.waitFor('▸ block');
			await camera.hold(1);
			screen.press('enter');
			await screen.settled('y send', {quiet: minReviewMs + 100});
			await camera.hold(2.4);
			screen.press('y');
			await screen.waitFor('Active: rule');
			await camera.hold(2.8);
		},
	},
	{
		...simulatedStart,
		name: 'rules',
		columns: 160,
		rows: 30,
		programArguments: ['--simulate', '--zone', 'acme.example'],
		async play(screen) {
			await screen.waitFor('Account');
			screen.press('2');
			await screen.waitFor(/rule 1 of \d+/);
			screen.press('down', 'down');
			await screen.waitFor(/rule 3 of \d+/);
		},
	},
	{
		...simulatedStart,
		name: 'custom-rules',
		columns: 120,
		rows: 24,
		programArguments: ['--simulate', '--zone', 'done.acme.example'],
		async play(screen) {
			await screen.waitFor('Account');
			screen.press('2');
			await screen.waitFor(/rule 1 of \d+/);
			screen.press('down');
			await screen.settled(/rule 2 of \d+/);
		},
	},
	{
		...simulatedStart,
		name: 'custom-rule',
		columns: 80,
		rows: 24,
		programArguments: ['--simulate', '--zone', 'done.acme.example'],
		async play(screen, camera) {
			await screen.waitFor('Account');
			screen.press('2');
			await screen.waitFor(/rule 1 of \d+/);
			await camera.hold(1.6);
			await camera.press(['a'], 0.8);
			await camera.type('ip.src.country eq "T1" and http.request.uri.path cont');
			await camera.press(['tab'], 0.6);
			await camera.type('"/login"');
			await camera.hold(1.2);
			await camera.press(['enter'], 0.8);
			await camera.press(['down'], 0.6);
			await camera.press(['enter'], 0.8);
			await camera.type('2');
			await camera.hold(1);
			await camera.press(['tab'], 0.4);
			await camera.type('Logins by Tor');
			await camera.hold(0.8);
			await camera.press(['enter'], 2.6);
			await screen.settled('exactly as', {quiet: minReviewMs + 100});
			screen.press('y');
			await screen.waitFor('created.');
			await camera.hold(1.6);
			await screen.settled('created.', {quiet: minReviewMs + 100});
			screen.press('enter');
			await screen.waitFor(/rule 2 of 5/);
			await camera.hold(2.4);
		},
	},
	{
		...simulatedStart,
		name: 'managed',
		columns: 96,
		rows: 24,
		programArguments: ['--simulate', '--zone', 'done.acme.example'],
		async play(screen, camera) {
			await screen.waitFor('Account');
			screen.press('4');
			await screen.waitFor('execute OWASP Core Ruleset');
			await camera.hold(2);
			screen.press('a');
			await screen.waitFor('What does the exception skip?');
			while (!screen.text().includes('▸ Some rules of OWASP')) await screen.pressAndAwaitFrame('down');
			await camera.hold(1);
			screen.press('enter');
			await screen.waitFor('Which rules to skip?');
			await camera.type('942100');
			await screen.waitFor(/ 1 of \d+ rules/);
			await camera.hold(1.8);
			screen.press('enter');
			await screen.waitFor('Which requests?');
			await camera.type('http.host eq "import.example"');
			await camera.hold(0.8);
			screen.press('enter');
			await screen.waitFor('What is it for?');
			await camera.type('the importer');
			screen.press('enter');
			await screen.waitFor('Unsent change: ');
			await camera.press(['T'], 0.8);
			await camera.press(['down', 'enter'], 0.6);
			await camera.press(['down', 'enter'], 0.6);
			await screen.waitFor('2 unsent changes');
			await camera.press(['D'], 1.2);
			screen.press('enter');
			await screen.waitFor('3 unsent changes');
			await camera.hold(1.8);
			screen.press('enter');
			await screen.settled('exactly as', {quiet: minReviewMs + 100});
			await camera.hold(2.6);
			screen.press('y');
			await screen.waitFor('Changed managed rules, version 2');
			await camera.hold(2.6);
		},
	},
	{
		...simulatedStart,
		name: 'zones',
		columns: 100,
		rows: 22,
		async play(screen) {
			await screen.waitFor('Account');
			screen.press('8');
			await screen.waitFor(/done\.acme\.example .*4\/20/);
			await screen.settled(/▸ check\.acme\.example/);
		},
	},
	{
		...simulatedStart,
		title: 'ledge --simulate --zone acme.example',
		name: 'validation',
		columns: 80,
		rows: 24,
		programArguments: ['--simulate', '--zone', 'acme.example'],
		env: {...simulatedStart.env, LEDGE_SIMULATE_MIGRATION_SECONDS: '0'},
		async play(screen, camera) {
			const pressEnterAfterReview = async (shown: string) => {
				await screen.settled(shown, {quiet: minReviewMs + 100});
				screen.press('enter');
			};
			const reviewAllPages = async () => {
				await screen.waitFor(/⏎ (read on|I have reviewed this)/);
				while (screen.text().includes('⏎ read on')) {
					const before = screen.text();
					screen.press('enter');
					await screen.waitFor(() => screen.text() !== before);
				}
				await pressEnterAfterReview('⏎ I have reviewed this');
			};
			const confirmWithZoneName = async (expected: RegExp | string) => {
				await screen.waitFor('▸ Rehearse in the simulated service');
				screen.press('down');
				await pressEnterAfterReview('▸ Continue without a rehearsal');
				await screen.settled("Type the zone's name", {quiet: minReviewMs + 100});
				screen.type('acme.example');
				await screen.settled(/acme\.example$/m, {quiet: minReviewMs + 100});
				screen.press('enter');
				await screen.waitFor(expected);
			};
			const advanceThreeHours = async () => {
				screen.kill('SIGUSR2');
				await screen.settled(undefined, {quiet: 300});
				screen.press('v');
				await screen.waitFor('figures');
				screen.press('ctrl-r');
			};
			await screen.waitFor('Account');
			screen.press('5');
			await pressEnterAfterReview('▸ Read the zone');
			await pressEnterAfterReview('▸ Continue');
			await reviewAllPages();
			await pressEnterAfterReview('▸ Validation first');
			await confirmWithZoneName('▸ Mark validation as done');
			await screen.settled('No exception candidates', {quiet: 300});
			await camera.hold(1.6);
			await advanceThreeHours();
			await screen.settled('1 candidate', {quiet: 300});
			await camera.hold(3.4);
			await camera.press(['a'], 2);
			await camera.press(['enter'], 1.4);
			await camera.press(['enter'], 2.4);
			screen.press('enter');
			await reviewAllPages();
			await screen.settled('▸ Send the reviewed configuration to validation', {quiet: minReviewMs + 100});
			await camera.hold(2);
			screen.press('enter');
			await confirmWithZoneName('you reviewed is active');
			await screen.settled('No exception candidates', {quiet: 300});
			await camera.hold(2);
			await advanceThreeHours();
			await screen.waitFor(/new +stopped [1-9]/);
			await screen.settled('0 candidates', {quiet: 300});
			await camera.hold(3.6);
		},
	},
	{
		...simulatedStart,
		name: 'migration',
		columns: 80,
		rows: 24,
		programArguments: ['--simulate', '--zone', 'acme.example'],
		env: {...simulatedStart.env, LEDGE_CLOCK_STANDS: '', LEDGE_SIMULATE_MIGRATION_SECONDS: '4'},
		async play(screen, camera) {
			const typeTheName = async (expected: string) => {
				await screen.settled("Type the zone's name", {quiet: minReviewMs + 100});
				await camera.type('acme.example');
				await camera.hold(1.2);
				screen.press('enter');
				await screen.waitFor(expected);
				await camera.hold(2);
			};
			await screen.waitFor('Account');
			await camera.press(['5'], 1.2);
			await screen.settled('▸ Read the zone', {quiet: minReviewMs + 100});
			screen.press('enter');
			await screen.settled('acme.example can migrate', {quiet: minReviewMs + 100});
			await camera.hold(1.6);
			screen.press('enter');
			await screen.waitFor('OWASP Core');
			await camera.hold(2);
			await camera.press(['pagedown', 'pagedown'], 1);
			while (screen.text().includes('⏎ read on')) await camera.press(['enter'], 0.4);
			await screen.settled('I have reviewed', {quiet: minReviewMs + 100});
			screen.press('enter');
			await screen.settled('Validation first', {quiet: minReviewMs + 100});
			await camera.hold(1.6);
			screen.press('enter');
			await screen.settled('A rehearsal', {quiet: minReviewMs + 100});
			screen.press('enter');
			await screen.settled('Rehearsed: ', {quiet: minReviewMs + 100});
			await camera.hold(2);
			screen.press('enter');
			await typeTheName('No exception candidates');
			await screen.settled('Mark validation as done', {quiet: minReviewMs + 100});
			screen.press('enter');
			await screen.settled('Turn off previous version', {quiet: minReviewMs + 100});
			await camera.hold(1.6);
			screen.press('enter');
			await typeTheName('being turned off');
			await screen.waitFor('Verified by reading', {within: 60_000});
			await camera.hold(3);
			await screen.settled('▸ Manage the active rules', {quiet: minReviewMs + 100});
			screen.press('enter');
			await screen.waitFor('execute Managed Ruleset');
			await camera.hold(2.4);
			await camera.press(['T'], 0.8);
			await camera.press(['down', 'enter'], 0.6);
			await camera.press(['up', 'enter'], 0.6);
			await screen.waitFor('1 unsent change');
			await camera.hold(1.4);
			screen.press('enter');
			await screen.settled('exactly as', {quiet: minReviewMs + 100});
			await camera.hold(2);
			screen.press('y');
			await screen.waitFor('blocks less');
			await camera.hold(1.4);
			await camera.type('acme.example');
			screen.press('enter');
			await screen.waitFor('Changed managed rules, version');
			await camera.hold(2.6);
		},
	},
	{
		...simulatedStart,
		name: 'keys',
		columns: 80,
		rows: 20,
		async play(screen) {
			await screen.waitFor('Account');
			screen.press('enter');
			await screen.waitFor('catalogue');
			screen.press('end', 'up', 'enter');
			await screen.waitFor('audio/article:');
			screen.press('left', 'ctrl-l');
			await screen.waitFor('100,000 keys', {within: 30_000});
			await screen.settled('toys/');
			screen.press('down', 'right');
			await screen.waitFor('00001');
			screen.press('down', 'space', 'down', 'space', 'down', 'down', 'space');
			await screen.waitFor('3 selected');
		},
	},
	{
		...simulatedStart,
		name: 'compare',
		columns: 100,
		rows: 24,
		files: {...simulatedStart.files, 'monday.ndjson': mondaysExport},
		async play(screen, camera) {
			await screen.waitFor('Account');
			screen.press('enter');
			await screen.waitFor('SESSIONS');
			screen.press('enter');
			await screen.waitFor('limits/api');
			await camera.hold(1.6);
			await camera.press(['='], 1.4);
			await camera.type('file:monday.ndjson');
			await camera.hold(0.8);
			screen.press('enter');
			await screen.waitFor('4 differences');
			await camera.hold(2.4);
			await camera.press(['down'], 0.8);
			screen.press('enter');
			await screen.waitFor('"percent"');
			await camera.hold(2.6);
			await camera.press(['<'], 2.2);
			screen.press('y');
			await screen.waitFor('Merged features');
			await camera.hold(2.8);
		},
	},
	{
		name: 'start',
		title: 'ledge',
		columns: 80,
		rows: 22,
		programArguments: [],
		files: {
			'wrangler.toml':
				'name = "shop"\n\n[[kv_namespaces]]\nbinding = "CONFIG"\nid = "0f2a91c3"\n\n[env.staging]\n',
		},
		async play(screen) {
			await screen.waitFor('Simulated service');
		},
	},
	{
		name: 'contexts',
		title: 'ledge',
		columns: 104,
		rows: 20,
		programArguments: [],
		files: {
			'wrangler.toml':
				'name = "shop"\n\n[[kv_namespaces]]\nbinding = "CONFIG"\nid = "0f2a91c3"\n\n[env.preview]\n\n[env.live]\n',
			'../.config/ledge/contexts.toml': contexts,
		},
		async play(screen) {
			await screen.waitFor('Context');
			screen.press('C');
			await screen.waitFor('PRODUCTION');
			await screen.settled('simulated service');
		},
	},
	...insight,
	...themeScenes,
];
