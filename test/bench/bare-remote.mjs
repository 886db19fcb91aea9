// A Node script without any library that sends one request to a service and prints the answer.
import {get} from 'node:http';

const headers = {Authorization: 'Bearer bench'};
get(process.argv[2], {headers}, async answer => {
	for await (const piece of answer) process.stdout.write(piece);
});
