import {expect, test} from 'vitest';
import {createPlaceClock} from '../../source/service/clock.ts';

const hurriedEnvironment = {LEDGE_TIME_SCALE: '0.01'};

test.each([
	'https://api.cloudflare.com/client/v4',
	'http://service.example/client/v4',
	'https://127.0.0.1.example/client/v4',
	'https://localhost.example/client/v4',
])('the service at %s always uses the real time scale, whatever the environment says', place => {
	expect(createPlaceClock(place, hurriedEnvironment).scale).toBe(1);
});

test.each([
	'http://127.0.0.1:8787/client/v4',
	'http://localhost:8787/client/v4',
	'http://[::1]:8787/client/v4',
	'simulated',
	'local:/home/ada/.wrangler',
])('%s can be sped up in tests', place => {
	expect(createPlaceClock(place, hurriedEnvironment).scale).toBe(0.01);
});

test.each(['0', '-1', '2', 'fast'])('the scale "%s" speeds nothing up', scale => {
	expect(createPlaceClock('simulated', {LEDGE_TIME_SCALE: scale}).scale).toBe(1);
});
