// Asks for the tasks so many times, by a client that retries: go run . go-retryablehttp 4
package main

import (
	"log"
	"os"
	"strconv"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

func main() {
	client := retryablehttp.NewClient()
	client.RetryWaitMin, client.RetryMax, client.Logger = 100*time.Millisecond, 5, nil
	times, _ := strconv.Atoi(os.Args[2])
	for range times {
		request, _ := retryablehttp.NewRequest("GET", os.Getenv("WM_BASE_URL")+"/tasks", nil)
		request.Header.Set("Authorization", "Bearer wm_acme")
		response, err := client.Do(request)
		if err != nil || response.StatusCode != 200 {
			log.Fatal(err, response)
		}
		response.Body.Close()
	}
}
